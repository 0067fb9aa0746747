import { f, lookup } from '#kit/contract/index.ts'

/** What an account is: where its balance belongs in the accounts of a university. */
export const ACCOUNT_KINDS = [
  { value: 'asset', label: ['Asset', 'أصول'] },
  { value: 'liability', label: ['Liability', 'التزامات'] },
  { value: 'income', label: ['Income', 'إيرادات'] },
  { value: 'expense', label: ['Expense', 'مصروفات'] },
] as const

/** An account of the ledger. Those that the program books to by itself are there from the beginning and stay. */
export const ledgerAccount = lookup('ledgerAccount', {
  path: '/ledger-accounts',
  one: ['Ledger account', 'حساب'],
  many: ['Ledger accounts', 'حسابات دفتر الأستاذ'],
  adding: ['Add ledger account', 'إضافة حساب'],
  editing: ['Edit ledger account', 'تعديل حساب'],
  changedBy: 'whole',
  fields: {
    kind: f.choice(['Kind', 'النوع'], ACCOUNT_KINDS, { required: true }),
    // As whoever keeps the general ledger calls it: the journal that goes there bears it.
    external_code: f.text(['Code in the general ledger', 'الرمز في الأستاذ العام'], { max: 60 }),
  },
  menu: { group: 'finance', order: 92, icon: 'list-tree', setup: true },
})
