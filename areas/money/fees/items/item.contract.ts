import { f, lookup } from '#kit/contract/index.ts'
import { TYPE_CHOICES } from '../words.contract.ts'

/** What is charged for: tuition, the credit hour, a certificate. What it costs stands in the settings of each year. */
export const feeItem = lookup('feeItem', {
  path: '/fee-items',
  one: ['Fee item', 'بند رسوم'],
  many: ['Fee items', 'بنود الرسوم'],
  adding: ['Add fee item', 'إضافة بند رسوم'],
  editing: ['Edit fee item', 'تعديل بند رسوم'],
  changedBy: 'whole',
  fields: {
    type: f.choice(['Type', 'النوع'], TYPE_CHOICES, { required: true, createOnly: true }),
    is_automatic: f.flag(['Charged by itself', 'يُحتسب تلقائيًا'], {
      createOnly: true,
      help: [
        'It stands on every invoice for which it has a price; others are asked for.',
        'يدرج في كل فاتورة له فيها سعر، وما عداه يُحتسب عند طلبه.',
      ],
    }),
    late_only: f.flag(['Of late registration', 'للتسجيل المتأخر'], {
      createOnly: true,
      help: [
        'Charged by itself of those alone who ask for their first course of the term after registration has closed.',
        'يُحتسب تلقائيًا على من يطلب أول مقرر في الفصل بعد إغلاق التسجيل فقط.',
      ],
    }),
    deposit: f.flag(['Deposit', 'تأمين'], {
      createOnly: true,
      help: [
        'Charged once on the first invoice of who enters, held for the student, and given back when he or she leaves. Of services, charged by itself, priced by term.',
        'يُحتسب مرة واحدة في أول فاتورة لمن يلتحق، ويُحفظ لحساب الطالب، ويُرد إليه عند تركه الجامعة. يكون من الخدمات، ويُحتسب تلقائيًا، وسعره بالفصل.',
      ],
    }),
  },
  menu: { group: 'finance', order: 94, icon: 'receipt', setup: true },
})
