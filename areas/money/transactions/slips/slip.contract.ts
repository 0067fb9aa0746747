import { z } from 'zod'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import {
  call,
  date,
  f,
  id,
  idParam,
  listOf,
  listQuery,
  paperLanguage,
  problem,
  ref,
  safeText,
  series,
} from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { checkAccept, type AcceptFacts } from './slip.rules.ts'

/** Numbers of slips, without gaps. */
export const slipNumbers = series('slips', { per: 'year', format: 'SL-{period}-{n}' })

/** A slip from the paper to the booking: a person looks at what the bank stamped. */
export const slip = workflow<AcceptFacts>()({
  name: 'slip',
  one: ['Bank slip', 'إيصال بنكي'],
  field: 'status',
  states: [
    { value: 'issued', label: ['To be paid', 'بانتظار السداد'], tone: 'waiting' },
    { value: 'uploaded', label: ['Waits to be checked', 'بانتظار المراجعة'], tone: 'waiting' },
    { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused', sometimes: true },
    { value: 'expired', label: ['Expired', 'انتهت مهلتها'], tone: 'frozen', sometimes: true },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen', sometimes: true },
  ],
  actions: {
    accept: {
      label: ['Accept', 'قبول'],
      summary: ['Accept a stamped slip: its money is booked', 'قبول إيصال مختوم وقيد مبلغه'],
      call: ['POST', '/payments/slips/accept/{id}'],
      permission: 'decide_slip',
      from: { uploaded: 'accepted' },
      needs: checkAccept,
      notice: 'transactions.notice_slip_accepted',
      consequence: [
        'The payment is booked on the day of the bank’s stamp, into the account of the bank.',
        'تُقيّد الدفعة بتاريخ ختم البنك في حساب البنك.',
      ],
    },
    reject: {
      label: ['Reject', 'رفض'],
      summary: ['Reject a stamped slip; it can be uploaded again', 'رفض إيصال مختوم ويمكن رفعه من جديد'],
      call: ['POST', '/payments/slips/reject/{id}'],
      permission: 'decide_slip',
      from: { uploaded: 'rejected' },
      reason: 'required',
      tone: 'refused',
      notice: 'transactions.notice_slip_rejected',
    },
    cancel: {
      label: ['Cancel the slip', 'إلغاء الإيصال'],
      summary: ['Cancel a slip that was not paid', 'إلغاء إيصال لم يُسدد'],
      call: ['POST', '/payments/slips/cancel/{id}'],
      permission: ['pay_online', 'decide_slip'],
      from: { issued: 'cancelled', rejected: 'cancelled', expired: 'cancelled' },
      byOwner: true,
      tone: 'refused',
      single: true,
    },
  },
  bulk: '/payments/slips/bulk/{action}',
  history: { path: '/payments/slips/steps/{id}', permission: 'access_slip' },
})
export const slipSteps = workflowCalls(slip)
export type SlipState = (typeof slip.states)[number]['value']

/** Fields by which slips are filtered and ordered. */
export const slipFields = {
  number: f.text(['Slip', 'الإيصال']),
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  status: f.choice(['State', 'الحالة'], slip.states),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  amount: f.money(['Amount', 'المبلغ']),
  bank_id: f.lookup(['Bank', 'البنك'], 'bank'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  invoice_id: f.integer(['Invoice', 'الفاتورة']),
  paid_on: f.date(['Stamped', 'تاريخ الختم']),
  expires_on: f.date(['Pay until', 'السداد حتى']),
  uploaded_at: f.instant(['Uploaded', 'تاريخ الرفع']),
}

const money = z.int()
const row = z.object({
  id,
  version: z.int(),
  number: z.string(),
  status: z.enum(slip.states.map((state) => state.value) as [SlipState, ...SlipState[]]),
  student: ref.nullable(),
  faculty: ref.nullable(),
  invoice: z.object({ id, number: z.string(), type: z.string() }),
  /** Which instalment; null: all that is open. */
  part: z.int().nullable(),
  bank: ref,
  currency: z.string(),
  /** What it was issued for. */
  amount: money,
  /** What was paid, as who uploaded it says. */
  paid: money.nullable(),
  paid_on: z.string().nullable(),
  bank_reference: z.string().nullable(),
  issued_on: z.string(),
  expires_on: z.string(),
  uploaded_at: z.string().nullable(),
  rejected_reason: z.string().nullable(),
  transaction_id: id,
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type SlipRow = z.output<typeof row>
const detail = row.extend({
  /** The stamped slip; its address is good for the reader alone. */
  file: z.object({ id, name: z.string(), size: z.int(), mime: z.string(), url: z.string() }).nullable(),
  account_number: z.string(),
  iban: z.string().nullable(),
  /** What of the invoice is open now: what is paid above it settles others, then goes into the wallet. */
  open: money,
  reversed: z.boolean(),
  /** What the reader may hand in: an upload, a correction. */
  uploads: z.boolean(),
})
export type SlipDetail = z.output<typeof detail>

/** Of a form with a file everything arrives as text. */
const sent = z.union([id, idParam])
const sentMoney = z.union([
  z.int().min(1).max(1_000_000_000_000),
  z
    .string()
    .regex(/^[1-9]\d{0,12}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(1_000_000_000_000)),
])
const stamped = {
  paid_on: date,
  /** What the bank calls the payment: printed by its stamp. */
  bank_reference: safeText(60, 3),
  amount: sentMoney,
}

export const slipCalls = {
  issue: call('POST', '/payments/payment-slip', {
    permission: ['pay_online', 'decide_slip'],
    summary: [
      'Issue a slip to pay an invoice, or an instalment of it, at the bank',
      'إصدار إيصال لسداد فاتورة أو قسط منها في البنك',
    ],
    body: z.strictObject({ invoice_id: sent, installment_id: sent.nullish(), bank_id: sent.nullish() }),
    response: z.object({ data: detail }),
    example: { invoice_id: 1 },
  }),
  pdf: call('POST', '/payments/export-payment-slip/{id}', {
    permission: 'access_slip',
    summary: ['A slip to take to the bank, as PDF', 'إيصال السداد في البنك بصيغة PDF'],
    body: z.strictObject({ lang: paperLanguage.optional() }),
    file: { name: 'Cash_Instructions.pdf', type: 'pdf', fixed: true },
    reads: true,
    example: {},
  }),
  accounts: call('GET', '/payments/slips/accounts/{id}', {
    permission: ['pay_online', 'decide_slip'],
    summary: ['Bank accounts into which an invoice may be paid', 'الحسابات البنكية لسداد فاتورة'],
    response: z.object({ data: z.array(ref.extend({ account_number: z.string() })) }),
  }),
  list: call('POST', '/payments/slips', {
    permission: 'access_slip',
    summary: ['List bank slips', 'عرض الإيصالات البنكية'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  show: call('GET', '/payments/slips/{id}', {
    permission: 'access_slip',
    summary: ['Show a bank slip', 'عرض إيصال بنكي'],
    response: z.object({ data: detail }),
    traced: 'slip',
  }),
  put: call('POST', '/transactions/put', {
    permission: ['pay_online', 'enter_payment'],
    summary: [
      'Hand in a stamped slip; or enter by hand money that came into a bank account (student_id, bank_id, currency)',
      'رفع إيصال مختوم، أو تسجيل مبلغ ورد إلى حساب بنكي يدويًا',
    ],
    upload: { field: 'file', accept: ['jpg', 'png', 'pdf'], maxMB: 10, optional: true },
    body: z.strictObject({
      ...stamped,
      slip_id: sent.optional(),
      student_id: sent.optional(),
      bank_id: sent.optional(),
      currency: z.enum(['EGP', 'USD']).optional(),
      invoice_id: sent.optional(),
      note: safeText(500).optional(),
    }),
    response: z.object({ data: z.object({ id, number: z.string(), status: z.string(), slip: detail.nullable() }) }),
    example: {
      student_id: 1,
      bank_id: 1,
      currency: 'EGP',
      amount: 100,
      paid_on: '2026-01-05',
      bank_reference: 'FT-26005-001',
    },
  }),
  change: call('POST', '/transactions/put/{id}', {
    permission: ['pay_online', 'enter_payment'],
    summary: [
      'Correct what was handed in of a slip (id: its transaction) while nobody has decided on it',
      'تصحيح ما رُفع من إيصال (رقم معاملته) قبل البت فيه',
    ],
    upload: { field: 'file', accept: ['jpg', 'png', 'pdf'], maxMB: 10, optional: true },
    body: z.strictObject(stamped),
    response: z.object({ data: z.object({ id, number: z.string(), status: z.string(), slip: detail.nullable() }) }),
  }),
}
