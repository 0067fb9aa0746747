import { z } from 'zod'
import { call, f, id, resource } from '#kit/contract/index.ts'

/** What payers are told about paying into a bank, or into any where none is named. */
export const bankInfo = resource({
  name: 'bankInfo',
  path: '/bank-info/notes',
  table: 'bank_info_notes',
  one: ['Note for payers', 'تعليمات للدافعين'],
  many: ['Notes for payers', 'تعليمات الدافعين'],
  adding: ['Add note for payers', 'إضافة تعليمات للدافعين'],
  editing: ['Edit note for payers', 'تعديل تعليمات للدافعين'],
  permissions: {
    list: 'access_bank',
    show: 'access_bank',
    add: 'add_bankInfo_bank',
    edit: 'edit_bankInfo_bnak',
    remove: 'edit_bankInfo_bnak',
    restore: 'edit_bankInfo_bnak',
    export: 'access_bank',
    import: null,
  },
  scope: 'university',
  changedBy: 'whole',
  fields: {
    bank_id: f.lookup(['Bank', 'البنك'], 'bank', {
      help: ['Empty: said with every bank', 'اتركه فارغًا لتظهر مع كل البنوك'],
    }),
    name: f.englishText(['English heading', 'العنوان بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic heading', 'العنوان بالعربية'], { required: true }),
    notes: f.longText(['English text', 'النص بالإنجليزية'], { required: true, detailOnly: true }),
    notes_local: f.longText(['Arabic text', 'النص بالعربية'], { required: true, detailOnly: true }),
    is_active: f.flag(['Shown', 'ظاهرة']),
  },
  list: {
    columns: ['name', 'name_local', 'bank_id', 'is_active'],
    search: ['name', 'name_local'],
    sort: ['name', 'name_local'],
    filters: ['bank_id', 'is_active'],
    order: ['name', 'asc'],
  },
  exportName: 'Notes for payers',
  softDelete: true,
  screens: { add: '/bank-info/add', edit: '/bank-info/edit/:id' },
  parent: '/bank-settings',
})

const text = z.string()
/** A bank as payers see it. */
const payable = z.object({
  id,
  name: text,
  name_local: text,
  branch: text.nullable(),
  account_number: text,
  iban: text.nullable(),
  swift: text.nullable(),
  currency: text,
  notes: z.array(z.object({ id, name: text, name_local: text, notes: text, notes_local: text })),
})
export type PayableBank = z.output<typeof payable>

export const bankInfoCalls = {
  /** Into which accounts one pays, and what is said about it. */
  notes: call('GET', '/bank-info/notes', {
    permission: 'signed_in',
    summary: ['Where one pays by bank transfer', 'بيانات الدفع بالتحويل البنكي'],
    response: z.object({ data: z.array(payable) }),
  }),
}
