import { z } from 'zod'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { call, f, id, listOf, listQuery, ref, safeText, screen } from '#kit/contract/index.ts'
import { PURPOSES, PAYMENT_WAYS } from '../moves/transaction.contract.ts'

const money = z.int()
const reason = safeText(500, 3)
const KINDS = PURPOSES.filter((one) => one.value !== 'payment' && one.value !== 'charge')

export const REFUND_STATES = [
  { value: 'asked', label: ['Asked for', 'قيد النظر'], tone: 'waiting' },
  { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
  { value: 'paid_out', label: ['Paid out', 'صُرف'], tone: 'done' },
  { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
  { value: 'withdrawn', label: ['Taken back', 'سُحب'], tone: 'frozen' },
] as const

export const refundFields = {
  number: f.text(['Number', 'الرقم']),
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  kind: f.choice(['For', 'الغرض'], KINDS),
  way: f.choice(['Way', 'الطريقة'], PAYMENT_WAYS),
  status: f.choice(['Status', 'الحالة'], REFUND_STATES),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  amount: f.money(['Amount', 'المبلغ']),
  reason: f.text(['Reason', 'السبب']),
  created_at: f.instant(['Asked on', 'تاريخ الطلب']),
}
const row = z.object({
  id,
  number: z.string(),
  student: ref.nullable(),
  payer: otherPayerRef.nullable(),
  kind: z.enum(['refund', 'direct_cash_back', 'cash_back']),
  way: z.enum(PAYMENT_WAYS.map((paymentWay) => paymentWay.value)),
  currency: z.string(),
  amount: money,
  reason: z.string(),
  status: z.enum(REFUND_STATES.map((state) => state.value)),
  /** The payment that goes back; null: out of the wallet. */
  payment: z.object({ id, number: z.string(), amount: money }).nullable(),
  asked_by: ref,
  decided_by: ref.nullable(),
  decided_at: z.string().nullable(),
  decision_reason: z.string().nullable(),
  /** By what it was paid out. */
  transaction: z.object({ id, number: z.string(), status: z.string() }).nullable(),
  created_at: z.string(),
  version: z.int(),
  abilities: z.array(z.enum(['approve', 'reject', 'pay_out', 'withdraw'])),
})
export type RefundRow = z.output<typeof row>

/** A refund that a provider was asked for and has not answered. */
const unanswered = z.object({
  id,
  transaction_id: id,
  number: z.string(),
  student: ref.nullable(),
  payer: otherPayerRef.nullable(),
  provider: z.enum(['fawry', 'paymob']),
  currency: z.string(),
  amount: money,
  since: z.string(),
  tries: z.int(),
  next_at: z.string().nullable(),
  error: z.string().nullable(),
  version: z.int(),
})
export type UnansweredRefund = z.output<typeof unanswered>
const decision = { version: z.int().optional() }
const shown = z.object({ data: row })

export const refundCalls = {
  refunds: call('POST', '/payments/refunds', {
    permission: ['approve_refund', 'refund_payment', 'pay_out_wallet'],
    summary: ['Refunds that another person approves', 'الاستردادات التي يعتمدها شخص آخر'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  refund: call('GET', '/payments/refunds/{id}', {
    permission: ['approve_refund', 'refund_payment', 'pay_out_wallet'],
    summary: ['A refund that was asked for', 'طلب استرداد'],
    response: shown,
    traced: 'refund_request',
  }),
  approve: call('POST', '/payments/refunds/{id}/approve', {
    permission: 'approve_refund',
    summary: ['Approve a refund that somebody else asked for', 'اعتماد استرداد طلبه شخص آخر'],
    body: z.strictObject({ ...decision }),
    response: shown,
    example: {},
  }),
  reject: call('POST', '/payments/refunds/{id}/reject', {
    permission: 'approve_refund',
    summary: ['Reject a refund, with a reason', 'رفض استرداد مع ذكر السبب'],
    body: z.strictObject({ reason, ...decision }),
    response: shown,
    example: { reason: 'The student has registered again' },
  }),
  withdraw: call('POST', '/payments/refunds/{id}/withdraw', {
    permission: ['refund_payment', 'pay_out_wallet'],
    summary: ['Take back what one asked for', 'سحب طلب الاسترداد'],
    body: z.strictObject({ ...decision }),
    response: shown,
    example: {},
  }),
  payOut: call('POST', '/payments/refunds/{id}/pay_out', {
    permission: ['pay_out_wallet', 'refund_payment'],
    summary: [
      'Pay out what was approved: in cash at the desk, or marked as sent by the bank',
      'صرف ما اعتُمد: نقدًا في الخزينة أو تأكيد تحويله بنكيًا',
    ],
    body: z.strictObject({ ...decision }),
    response: shown,
    example: {},
  }),
  unanswered: call('POST', '/payments/refunds/unanswered', {
    permission: 'decide_provider_event',
    summary: ['Refunds that providers have not answered', 'استردادات لم يجب عنها مزود الدفع'],
    body: listQuery,
    response: listOf(unanswered),
    reads: true,
  }),
  settleUnanswered: call('POST', '/payments/refunds/unanswered/{id}', {
    permission: 'decide_provider_event',
    summary: ['Say what became of a refund, as the provider told a person', 'تسجيل ما آل إليه الاسترداد لدى المزود'],
    body: z.strictObject({ happened: z.boolean(), reason, ...decision }),
    response: z.object({ data: z.object({ id, status: z.enum(['done', 'refused']) }) }),
    example: { happened: true, reason: 'Seen in the portal of the provider' },
  }),
}

/** What the area takes over of refunds. */
export const refundsPart = {
  calls: refundCalls,
  screens: [
    screen('/payments/refunds', {
      permission: ['approve_refund', 'refund_payment', 'pay_out_wallet'],
      title: ['Refunds', 'الاستردادات'],
      menu: { group: 'finance', order: 20, icon: 'receipt-refund', block: 'desk' },
    }),
    screen('/payments/refunds/unanswered', {
      permission: 'decide_provider_event',
      title: ['Refunds without an answer', 'استردادات بلا رد'],
      parent: '/payments/refunds',
    }),
  ],
  notices: {
    notice_paid_back: { title: ['Money paid back', 'رد مبلغ'], audience: [3, 4], app: 'always', mail: 'now' },
    notice_refund_at_desk: {
      title: ['Refund ready at the desk', 'مبلغ مسترد جاهز للصرف'],
      audience: [3, 4],
      app: 'always',
      mail: 'now',
    },
    notice_refund_by_bank: {
      title: ['Refund sent by the bank', 'مبلغ مسترد بتحويل بنكي'],
      audience: [3, 4],
      app: 'always',
      mail: 'now',
    },
    notice_refund_refused: {
      title: ['Refund not taken by the provider', 'استرداد رفضه مزود الدفع'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
    notice_refund_approved: {
      title: ['Refund approved', 'اعتماد استرداد'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
    notice_refund_rejected: { title: ['Refund rejected', 'رفض استرداد'], audience: [1, 2], app: 'always', mail: 'now' },
  },
  errors: {
    refund_own_request: ['Another person approves what you asked for.', 'يعتمد طلبك شخص آخر.'],
    refund_own_money: ['Nobody decides on the own money.', 'لا يبت أحد في أمواله.'],
    refund_not_own_request: ['Only who asked takes it back.', 'لا يسحب الطلب إلا من قدّمه.'],
    refund_not_approved: ['It is paid out once it is approved.', 'يُصرف بعد اعتماده.'],
    refund_request_ended: ['It was decided on already.', 'بُتّ فيه من قبل.'],
    refund_request_stays: ['What was asked for stays as it was asked.', 'لا يتغير ما طُلب.'],
    refund_request_paid: ['What is paid out has its transaction.', 'لكل مبلغ مصروف معاملته.'],
    refund_beyond_payment: ['Not so much of this payment is left to go back.', 'لم يبق من هذه الدفعة ما يكفي لرده.'],
    refund_refused: [
      'The provider did not take the refund: nothing was given back.',
      'رفض مزود الدفع الاسترداد، ولم يُرد شيء.',
    ],
    refund_no_provider: [
      'The provider does not know this payment: pay it back in cash.',
      'لا يعرف مزود الدفع هذه الدفعة: ردّها نقدًا.',
    ],
    wallet_reserved: [
      'A part of the wallet is asked back and stays until that is decided.',
      'جزء من المحفظة مطلوب رده ويبقى حتى البت فيه.',
    ],
    wallet_overdue: [
      '{overdue} is overdue. Settle that from the wallet first; what remains can be paid out.',
      'المتأخر {overdue}. سدده من المحفظة أولًا، ثم يمكن صرف الباقي.',
    ],
    cancel_asked_back: ['A part of it is asked back: decide on that first.', 'جزء منها مطلوب رده: بُتّ في ذلك أولًا.'],
    transaction_asked_back: [
      'Of {number} a part is asked back: decide on that first.',
      'جزء من {number} مطلوب رده: بُتّ في ذلك أولًا.',
    ],
  },
} as const
