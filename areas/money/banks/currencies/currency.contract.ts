import { f, resource } from '#kit/contract/index.ts'

/**
 * A currency in which money is owed and paid. Its code stands, and with it how many digits its minor unit has
 * (ISO 4217): amounts are whole numbers of that unit everywhere. Everybody signed in may read which there are.
 */
export const currency = resource({
  name: 'currency',
  path: '/banks/currency',
  table: 'currencies',
  one: ['Currency', 'عملة'],
  many: ['Currencies', 'العملات'],
  adding: ['Add currency', 'إضافة عملة'],
  editing: ['Edit currency', 'تعديل عملة'],
  changedBy: 'whole',
  permissions: {
    list: 'signed_in',
    show: 'signed_in',
    add: 'add_currency_bank',
    edit: 'edit_currency_bnak',
    remove: 'edit_currency_bnak',
    restore: 'edit_currency_bnak',
    export: 'access_bank',
    import: null,
  },
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], {
      required: true,
      createOnly: true,
      help: [
        'Three capital letters (ISO 4217), e.g. EUR. Fees are priced in EGP and USD; another currency is for bank accounts only.',
        'ثلاثة أحرف لاتينية كبيرة (ISO 4217)، مثل EUR. تُسعَّر الرسوم بالجنيه والدولار، والعملات الأخرى للحسابات البنكية وحدها.',
      ],
    }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    minor_digits: f.integer(['Digits after the point', 'أرقام بعد الفاصلة'], { readOnly: true, max: 3 }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'minor_digits'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local'],
    filters: [],
    order: ['code', 'asc'],
  },
  exportName: 'Currencies',
  softDelete: true,
  examples: ['EUR', 'SAR', 'GBP', 'CHF', 'AED', 'JPY', 'QAR', 'SEK', 'NOK', 'DKK'].map((code, i) => ({
    code,
    name: `Currency ${code}`,
    name_local: `عملة ${'أبتثجحخدذر'[i]}`,
  })),
  screens: { add: '/currency/add', edit: '/currency/edit/:id' },
  parent: '/bank-settings',
})
