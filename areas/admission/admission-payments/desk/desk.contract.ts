import { z } from 'zod'
import { call, exportQuery, f, id, listOf, listQuery, ref } from '#kit/contract/index.ts'
import { ADMISSION_FEES } from '#areas/admission/admissions/words.contract.ts'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { PAYMENT_WAYS, TRANSACTION_STATES } from '#areas/money/transactions/moves/transaction.contract.ts'
import { FEE_KINDS } from '../fees/fee.rules.ts'

const money = z.int()
export const ADMISSION_PAYMENT_STATES = [
  { value: 'unpaid', label: ['Unpaid', 'غير مدفوعة'], tone: 'waiting' },
  { value: 'partially_paid', label: ['Partially paid', 'مدفوعة جزئيًا'], tone: 'active' },
  { value: 'overdue', label: ['Overdue', 'متأخرة'], tone: 'refused' },
  { value: 'paid', label: ['Paid', 'مدفوعة'], tone: 'done' },
  { value: 'unsettled', label: ['Payment cancelled', 'أُلغي سدادها'], tone: 'refused' },
  { value: 'taken_back', label: ['Not asked any more', 'لم تعد مطلوبة'], tone: 'frozen' },
] as const

/** Fields by which payments of applicants are filtered and ordered. */
export const admissionPaymentFields = {
  applicant: f.text(['Applicant', 'المتقدم']),
  admission_id: f.lookup(['Admission', 'فترة القبول'], 'admission'),
  fee: f.choice(['Fee', 'الرسوم'], ADMISSION_FEES),
  state: f.choice(['State', 'الحالة'], ADMISSION_PAYMENT_STATES),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  amount: f.money(['Amount', 'المبلغ']),
  settled: f.money(['Paid', 'المسدد']),
  due_date: f.date(['Due', 'تاريخ الاستحقاق']),
  issued_on: f.date(['Asked for on', 'تاريخ المطالبة']),
}

const row = z.object({
  /** Of its invoice. */
  id,
  number: z.string(),
  applicant: ref,
  admission: ref,
  fee: z.enum(FEE_KINDS),
  /** Of the exam: for which attempt. */
  attempt: z.int(),
  currency: z.string(),
  amount: money,
  settled: money,
  state: z.enum(ADMISSION_PAYMENT_STATES.map(({ value }) => value)),
  due_date: z.string().nullable(),
  issued_on: z.string(),
})
export type AdmissionPaymentRow = z.output<typeof row>
const detail = row.extend({
  status: z.enum(APPLICANT_STATUSES.map(({ value }) => value)),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  faculty: ref.nullable(),
  program: ref.nullable(),
  /** Since when it is not settled any more, though the application was told so. */
  unsettled_at: z.string().nullable(),
  /** What takes the whole fee of the seat. */
  full_scholarship: ref.nullable(),
  wallets: z.array(z.object({ currency: z.string(), amount: money })),
  transactions: z.array(
    z.object({
      id,
      number: z.string(),
      way: z.enum(PAYMENT_WAYS.map(({ value }) => value)),
      status: z.enum(TRANSACTION_STATES.map(({ value }) => value)),
      /** Negative: it went out. */
      amount: money,
      /** By what the provider knows it: the number that is paid by, or its own. */
      reference: z.string().nullable(),
      at: z.string(),
    }),
  ),
})
export type AdmissionPayment = z.output<typeof detail>

export const admissionPaymentCalls = {
  list: call('POST', '/admission-payments', {
    permission: 'access_admission_payment',
    summary: ['List what applicants owe and paid', 'عرض ما على المتقدمين وما سددوه'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  show: call('GET', '/admission-payments/{id}', {
    permission: 'access_admission_payment',
    summary: ['A fee of an applicant with what was paid of it', 'رسوم متقدم وما سُدد منها'],
    response: z.object({ data: detail }),
  }),
  export: call('POST', '/admission-payments/export', {
    permission: 'export_admission_payment',
    summary: ['Export what applicants owe and paid as a spreadsheet', 'تصدير ما على المتقدمين وما سددوه جدولًا'],
    body: exportQuery,
    file: { name: 'AdmissionPayments.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
}
