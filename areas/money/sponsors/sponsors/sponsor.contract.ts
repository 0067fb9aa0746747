import { f, lookup } from '#kit/contract/index.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'

const KINDS = [
  { value: 'company', label: ['Company', 'شركة'] },
  { value: 'ministry', label: ['Ministry', 'وزارة'] },
  { value: 'embassy', label: ['Embassy', 'سفارة'] },
  { value: 'foundation', label: ['Foundation', 'مؤسسة'] },
  { value: 'other', label: ['Other', 'أخرى'] },
] as const
const LANGUAGES = [
  { value: 'ar', label: ['Arabic', 'العربية'] },
  { value: 'en', label: ['English', 'الإنجليزية'] },
] as const
/** How what it paid of an invoice is spread over its students. */
const SPREADS = [
  { value: 'oldest', label: ['Line after line', 'سطرًا بعد سطر'] },
  { value: 'share', label: ['By the share of each line', 'بحسب حصة كل سطر'] },
] as const

/** Who pays shares of the fees of many students: a payer of the ledger, with its own invoices and account. */
export const sponsor = lookup('sponsor', {
  path: '/sponsors',
  one: ['Sponsor', 'جهة راعية'],
  many: ['Sponsors', 'الجهات الراعية'],
  adding: ['Add sponsor', 'إضافة جهة راعية'],
  editing: ['Edit sponsor', 'تعديل جهة راعية'],
  changedBy: 'whole',
  fields: {
    kind: f.choice(['Kind', 'النوع'], KINDS, { required: true }),
    country_id: f.lookup(['Country', 'الدولة'], 'country'),
    currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES, {
      required: true,
      createOnly: true,
      help: ['Invoices in this currency are paid for.', 'تُسدد الفواتير الصادرة بهذه العملة.'],
    }),
    email: f.email(['E-mail', 'البريد الإلكتروني'], {
      help: ['Invoices are sent to this address.', 'تُرسل الفواتير إلى هذا العنوان.'],
    }),
    language: f.choice(['Language of its papers', 'لغة المراسلات'], LANGUAGES, { required: true, detailOnly: true }),
    address: f.text(['Address', 'العنوان'], { max: 500, detailOnly: true }),
    tax_number: f.text(['Tax number', 'الرقم الضريبي'], { max: 60, detailOnly: true }),
    due_days: f.integer(['Days to pay', 'أيام السداد'], { required: true, min: 0, max: 365 }),
    spread: f.choice(['Part payments settle', 'يسدد الدفع الجزئي'], SPREADS, {
      required: true,
      detailOnly: true,
      help: [
        'How a payment that is smaller than the invoice is spread over its students.',
        'كيف يوزع ما يقل عن قيمة الفاتورة على طلابها.',
      ],
    }),
    is_active: f.flag(['Active', 'نشط']),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'kind', 'country_id', 'currency', 'due_days', 'is_active'],
    filters: ['kind', 'country_id', 'currency', 'is_active'],
  },
  screens: { list: '/sponsors', show: '/sponsors/:id', add: '/sponsors/add', edit: '/sponsors/edit/:id' },
  menu: {
    group: 'finance',
    order: 112,
    icon: 'building-bank',
    block: 'invoices',
    only: ['edit_sponsor', 'bill_sponsor'],
  },
  plain: false,
})
