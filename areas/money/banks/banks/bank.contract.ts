import { f, lookup } from '#kit/contract/index.ts'

/** An account of the university at a bank. It has an account of the ledger of its own. */
export const bank = lookup('bank', {
  path: '/banks',
  one: ['Bank', 'بنك'],
  many: ['Banks', 'البنوك'],
  adding: ['Add bank', 'إضافة بنك'],
  editing: ['Edit bank', 'تعديل بنك'],
  changedBy: 'whole',
  fields: {
    branch: f.text(['Branch', 'الفرع']),
    account_number: f.text(['Account number', 'رقم الحساب'], { required: true, max: 40 }),
    iban: f.text(['IBAN', 'الآيبان'], { max: 50 }),
    swift: f.text(['SWIFT code', 'رمز سويفت'], { max: 20, detailOnly: true }),
    currency_id: f.lookup(['Currency', 'العملة'], 'currency', { required: true }),
    is_active: f.flag(['Active', 'نشط'], {
      help: ['Shown to who pays by transfer', 'يظهر لمن يدفع بتحويل بنكي'],
    }),
  },
  list: { columns: ['code', 'name', 'name_local', 'branch', 'account_number', 'iban', 'currency_id', 'is_active'] },
  screens: { add: '/bank-settings/add', edit: '/bank-settings/edit/:id' },
  parent: '/bank-settings',
  // No two have one IBAN.
  examples: [1, 2, 3, 4].map((n) => ({
    code: `BANK-${n}`,
    name: `Bank ${n}`,
    name_local: `بنك ${n}`,
    account_number: `10003456789${n}`,
    currency_id: 1,
  })),
  plain: false,
})
