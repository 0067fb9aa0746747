import { f } from '#kit/contract/index.ts'

/** What an entry is of, as it is stored. */
export const ENTRY_KINDS = [
  { value: 'invoice', label: ['Invoice', 'فاتورة'] },
  { value: 'debit_note', label: ['Debit note', 'إشعار مدين'] },
  { value: 'credit_note', label: ['Credit note', 'إشعار دائن'] },
  { value: 'scholarship', label: ['Scholarship', 'منحة'] },
  { value: 'fine', label: ['Late fine', 'غرامة تأخير'] },
  { value: 'sponsor', label: ['Share of a sponsor', 'حصة جهة راعية'] },
  { value: 'payment', label: ['Payment', 'سداد'] },
  { value: 'refund', label: ['Refund', 'رد مدفوعات'] },
  { value: 'cash_back', label: ['Cash back', 'رد نقدي'] },
  { value: 'charge', label: ['Wallet charged', 'شحن المحفظة'] },
  { value: 'wallet', label: ['Wallet', 'المحفظة'] },
  { value: 'batch', label: ['Bank file', 'ملف بنكي'] },
  { value: 'transfer', label: ['Transfer', 'تحويل'] },
  { value: 'adjustment', label: ['Adjustment', 'تسوية'] },
  { value: 'reversal', label: ['Reversal', 'قيد عكسي'] },
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]['value']

/** What entries are filtered and ordered by. */
export const entryFields = {
  booked_on: f.date(['Day', 'التاريخ']),
  kind: f.choice(['Kind', 'النوع'], ENTRY_KINDS),
  account_id: f.lookup(['Account', 'الحساب'], 'ledgerAccount'),
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  invoice: f.text(['Invoice number', 'رقم الفاتورة']),
  currency_id: f.lookup(['Currency', 'العملة'], 'currency'),
}
