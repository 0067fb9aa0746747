import { otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { z } from 'zod'
import { call, id, listOf, listQuery, ref, safeText, screen } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'

const WAYS = ['card', 'mobile'] as const
const STATUSES = ['new', 'pending', 'paid', 'failed', 'expired', 'rejected', 'cancelled'] as const

/** A payment by a provider, as who pays sees it. */
const onlinePayment = z.object({
  id,
  number: z.string(),
  status: z.enum(STATUSES),
  way: z.enum(WAYS),
  provider: z.string(),
  currency: z.string(),
  amount: z.int(),
  invoice_id: id.nullable(),
  /** The number one pays by. */
  pay_number: z.string().nullable(),
  /** The provider's page on which one pays. */
  link: z.string().nullable(),
  expires_at: z.string().nullable(),
})
export type OnlinePayment = z.output<typeof onlinePayment>

/** Who pays the own invoices by a provider: students, and who works here and sees what he or she owes. */
const PAYS = ['pay_online', 'see_own_money'] as const

export const payCalls = {
  ownOpen: call('GET', '/payments/my_open', {
    permission: 'see_own_money',
    summary: ['What a member of staff still owes, and how it can be paid online', 'ما على العامل وطرق سداده إلكترونيًا'],
    response: z.object({
      data: z.array(
        z.object({
          id,
          number: z.string(),
          name: z.string(),
          name_local: z.string(),
          currency: z.string(),
          open: z.int(),
          due_on: z.string().nullable(),
          ways: z.array(z.enum(WAYS)),
        }),
      ),
    }),
  }),
  payOnline: call('POST', '/payments/pay/{id}', {
    permission: PAYS,
    summary: ['Pay an invoice, or an instalment of it, by a provider', 'دفع فاتورة أو قسط منها عبر مزود الدفع'],
    body: z.strictObject({ way: z.enum(WAYS), installment_id: id.nullish() }),
    response: z.object({ data: onlinePayment }),
    example: { way: 'mobile' },
  }),
  payable: call('GET', '/payments/pay/{id}', {
    permission: PAYS,
    summary: [
      'How an invoice can be paid by a provider, and what is under way',
      'طرق دفع الفاتورة إلكترونيًا وما هو قيد الدفع',
    ],
    response: z.object({
      data: z.object({
        currency: z.string(),
        open: z.int(),
        ways: z.array(z.enum(WAYS)),
        under_way: z.array(onlinePayment),
      }),
    }),
  }),
  checkPayment: call('GET', '/payments/checkPayment/{id}', {
    permission: PAYS,
    summary: [
      'Ask the provider now what became of the payments of an invoice',
      'سؤال مزود الدفع الآن عن مدفوعات الفاتورة',
    ],
    response: z.object({
      data: z.object({
        payments: z.array(onlinePayment),
        /** false: the provider does not answer just now. */
        answered: z.boolean(),
      }),
    }),
  }),
  onlinePayment: call('GET', '/payments/paid/{id}', {
    permission: PAYS,
    summary: ['How a payment by a provider stands', 'حالة عملية الدفع الإلكتروني'],
    response: z.object({ data: onlinePayment }),
  }),
}

/** What became of what a provider said. */
export const VERDICTS = [
  { value: 'waiting', label: ['Is looked at', 'قيد المعالجة'], tone: 'waiting' },
  { value: 'booked', label: ['Booked', 'مقيدة'], tone: 'done' },
  { value: 'booked_late', label: ['Booked, after its time', 'مقيدة بعد موعدها'], tone: 'done' },
  { value: 'recorded', label: ['Recorded', 'مسجلة'], tone: 'draft' },
  { value: 'repeated', label: ['Known already', 'معروفة من قبل'], tone: 'draft' },
  { value: 'outdated', label: ['Outdated', 'تجاوزها ما بعدها'], tone: 'draft' },
  { value: 'other', label: ['About something else', 'عن أمر آخر'], tone: 'draft' },
  { value: 'forged', label: ['Not from the provider', 'ليست من مزود الدفع'], tone: 'refused' },
  { value: 'unknown', label: ['About nothing we know', 'لا تخص عملية معروفة'], tone: 'refused' },
  { value: 'differs', label: ['Paid, but not what was asked', 'مدفوع بغير المطلوب'], tone: 'refused' },
  { value: 'again', label: ['Paid a second time', 'مدفوع مرة ثانية'], tone: 'refused' },
  { value: 'ended', label: ['Paid after it was cancelled', 'مدفوع بعد الإلغاء'], tone: 'refused' },
  { value: 'refunded', label: ['Given back at the provider', 'استرد لدى مزود الدفع'], tone: 'refused' },
] as const satisfies readonly { value: string; label: Label; tone: string }[]

const DECISIONS = ['book', 'close'] as const
const providerEvent = z.object({
  id: z.int(),
  at: z.string(),
  provider: z.enum(['fawry', 'paymob']),
  verdict: z.enum(VERDICTS.map((one) => one.value)),
  /** It waits for a person. */
  open: z.boolean(),
  times: z.int(),
  /** Why it could not be judged yet. */
  error: z.string().nullable(),
  reference: z.string().nullable(),
  payment: z.string().nullable(),
  status: z.string().nullable(),
  amount: z.int().nullable(),
  currency: z.string().nullable(),
  /** What was asked: the transaction of the charge, and whose it is. */
  asked: z
    .object({
      transaction_id: id,
      number: z.string(),
      amount: z.int(),
      currency: z.string(),
      invoice_id: id.nullable(),
    })
    .nullable(),
  student: ref.nullable(),
  payer: otherPayerRef.nullable(),
  /** What was booked by it. */
  booked: z.object({ id, number: z.string() }).nullable(),
  decision: z.enum(DECISIONS).nullable(),
  decided_by: ref.nullable(),
  reason: z.string().nullable(),
  version: z.int(),
})
export type ProviderEventRow = z.output<typeof providerEvent>

export const providerEventCalls = {
  providerEvents: call('POST', '/transactions/provider-events', {
    permission: 'decide_provider_event',
    summary: ['What payment providers said, and what became of it', 'رسائل مزودي الدفع وما نتج عنها'],
    body: listQuery,
    response: listOf(providerEvent),
    reads: true,
  }),
  providerEvent: call('GET', '/transactions/provider-events/{id}', {
    permission: 'decide_provider_event',
    summary: ['A message of a payment provider as it came', 'رسالة مزود الدفع كما وردت'],
    response: z.object({
      data: providerEvent.extend({
        /** null: the provider was asked. */
        came: z
          .object({
            query: z.string(),
            body: z.string(),
            headers: z.record(z.string(), z.string()),
            ip: z.string().nullable(),
            hash: z.string(),
          })
          .nullable(),
      }),
    }),
  }),
  decideProviderEvent: call('POST', '/transactions/provider-events/{id}/decide', {
    permission: 'decide_provider_event',
    summary: ['Book what came, or close it', 'قيد ما ورد أو إغلاقه'],
    body: z.strictObject({ decision: z.enum(DECISIONS), reason: safeText(500, 3), version: z.int().optional() }),
    response: z.object({ data: providerEvent }),
    example: { decision: 'close', reason: 'Settled with the provider' },
  }),
}

/** What the area takes over of its providers. */
export const providersPart = {
  calls: { ...payCalls, ...providerEventCalls },
  screens: [
    screen('/payments/paid/:id', { permission: PAYS, title: ['Online payment', 'الدفع الإلكتروني'] }),
    screen('/transactions/provider-events', {
      permission: 'decide_provider_event',
      title: ['Messages of payment providers', 'رسائل مزودي الدفع'],
      menu: { group: 'finance', order: 220, icon: 'messages', block: 'bank' },
    }),
  ],
  notices: {
    notice_paid: { title: ['Payment received', 'وصول دفعة'], audience: [3, 4], app: 'always', mail: 'now' },
  },
  errors: {
    provider_not_offered: [
      'This way of paying is not offered now. Pay at the cashier or by a bank slip.',
      'طريقة الدفع هذه غير متاحة الآن. ادفع في الخزينة أو بإيصال بنكي.',
    ],
    provider_currency: ['This way of paying does not take {currency}.', 'طريقة الدفع هذه لا تقبل {currency}.'],
    payment_provider_silent: [
      'The payment provider does not answer. Nothing was charged: try again in some minutes.',
      'مزود الدفع لا يجيب. لم يُحصَّل شيء: حاول مرة أخرى بعد دقائق.',
    ],
    payment_refused: [
      'The payment provider did not take the payment. Choose another way, or ask the finance office.',
      'لم يقبل مزود الدفع العملية. اختر طريقة أخرى أو راجع الشؤون المالية.',
    ],
    refund_not_answered: [
      'The provider was asked for this refund and has not answered: look there before asking again.',
      'طُلب هذا الاسترداد من مزود الدفع ولم يجب بعد: راجعه لديه قبل الطلب مجددًا.',
    ],
    invoice_nothing_open: ['Nothing of this is open any more.', 'لم يعد هناك مبلغ متبقٍ.'],
    provider_event_decided: [
      'This was decided on already, or waits for nobody.',
      'اتُّخذ القرار من قبل أو لا تنتظر قرارًا.',
    ],
    provider_event_not_bookable: [
      'Whose money this is is not known: find it out, and enter the payment by hand.',
      'لا يُعرف صاحب هذا المبلغ: تحقق منه ثم سجّل الدفعة يدويًا.',
    ],
  },
} as const
