import { z } from 'zod'
import { call, id, idParam } from '#kit/contract/index.ts'
import { PAYMENT_WAYS } from '#areas/money/transactions/moves/transaction.contract.ts'
import { FEE_KINDS } from '../fees/fee.rules.ts'

const money = z.int()
const fee = z.enum(FEE_KINDS)
const key = z.string().regex(/^[\w-]{43}$/)
const who = { id, key }

/** A payment by a provider, as who pays sees it. */
const online = z.object({
  id,
  number: z.string(),
  status: z.enum(['new', 'pending', 'paid', 'failed', 'expired', 'rejected', 'cancelled']),
  way: z.enum(['card', 'mobile']),
  provider: z.string(),
  currency: z.string(),
  amount: money,
  invoice_id: id.nullable(),
  /** The number one pays by. */
  pay_number: z.string().nullable(),
  /** The provider's page on which one pays. */
  link: z.string().nullable(),
  expires_at: z.string().nullable(),
})
export type ApplicantPayment = z.output<typeof online>

/** How a fee stands for whoever applies. */
export const APPLICANT_FEE_STATES = ['later', 'due', 'part', 'paid'] as const
const standing = z.object({
  fee,
  /** Of the exam: which attempt it is for. */
  attempt: z.int(),
  state: z.enum(APPLICANT_FEE_STATES),
  currency: z.string(),
  amount: money,
  /** What of it is still to be paid. */
  open: money,
  /** null: it has not been charged yet. */
  invoice: z.object({ id, number: z.string(), due_date: z.string().nullable() }).nullable(),
  /** Whether it can be paid now, and by which providers. */
  payable: z.boolean(),
  ways: z.array(z.enum(['card', 'mobile'])),
  under_way: z.array(online),
  /** What was paid of it. */
  paid: z.array(
    z.object({
      number: z.string(),
      way: z.enum(PAYMENT_WAYS.map(({ value }) => value)),
      amount: money,
      on: z.string().nullable(),
    }),
  ),
})
export type ApplicantFeeStanding = z.output<typeof standing>
const account = z.object({
  fees: z.array(standing),
  /** What the university holds for the applicant. */
  wallets: z.array(z.object({ currency: z.string(), amount: money })),
  /** Opens the paper with instructions, for some minutes. */
  ticket: z.string(),
})
export type ApplicantAccount = z.output<typeof account>

const open = { permission: 'public' } as const
const KEY = '0'.repeat(43)
const pay = z.strictObject({
  ...who,
  /** `cash`: at the cashier or by a bank; the fee is charged, and the paper tells how. */
  way: z.enum(['card', 'mobile', 'cash']),
  /** Else the first that is due. */
  fee: fee.optional(),
})
const begun = z.object({ data: account.extend({ payment: online.nullable() }) })
const checked = z.object({
  data: account.extend({
    payment: online,
    /** false: the provider does not answer just now. */
    answered: z.boolean(),
  }),
})
const example = { id: 1, key: KEY }
const file = { name: 'Cash_Instructions.pdf', type: 'pdf', fixed: true } as const
const ticket = z.object({ ticket: z.string().max(400).optional() })

/** Calls of whoever has the key of an application. */
export const applicantPaymentCalls = {
  account: call('POST', '/admission/website/transaction/fees', {
    ...open,
    summary: ['What an application costs, and what of it is paid', 'رسوم طلب التقديم وما سُدد منها'],
    body: z.strictObject(who),
    response: z.object({ data: account }),
    reads: true,
    example,
  }),
  create: call('POST', '/admission/website/transaction/create', {
    ...open,
    summary: ['Begin to pay a fee of an application', 'بدء دفع رسوم طلب تقديم'],
    body: pay,
    response: begun,
    example: { ...example, way: 'mobile' },
  }),
  createOf: call('POST', '/admission/website/transaction/create/{id}', {
    ...open,
    summary: ['Begin to pay a fee of an application by its invoice', 'بدء دفع رسوم طلب تقديم بفاتورتها'],
    params: z.object({ id: idParam }),
    body: pay,
    response: begun,
    example: { ...example, way: 'mobile' },
  }),
  check: call('POST', '/admission/website/transaction/check/{transaction}', {
    ...open,
    summary: ['Ask the provider now what became of a payment', 'سؤال مزود الدفع الآن عن عملية دفع'],
    params: z.object({ transaction: idParam }),
    body: z.strictObject(who),
    response: checked,
    example,
  }),
  checkOf: call('POST', '/admission/website/transaction/check/{transaction}/{id}', {
    ...open,
    summary: [
      'Ask the provider now what became of a payment of an invoice',
      'سؤال مزود الدفع الآن عن عملية دفع لفاتورة',
    ],
    params: z.object({ transaction: idParam, id: idParam }),
    body: z.strictObject(who),
    response: checked,
    example,
  }),
  paper: call('GET', '/admission/website/print-pdf/{id}', {
    ...open,
    summary: ['How the fees of an application are paid, as PDF', 'تعليمات سداد رسوم طلب التقديم بصيغة PDF'],
    params: z.object({ id: idParam }),
    query: ticket,
    file,
  }),
  paperOf: call('GET', '/admission/website/print-pdf/{id}/{installment_id}', {
    ...open,
    summary: ['How one fee of an application is paid, as PDF', 'تعليمات سداد إحدى رسوم طلب التقديم بصيغة PDF'],
    // As the documents call it: the invoice of the fee.
    params: z.object({ id: idParam, installment_id: idParam }),
    query: ticket,
    file,
  }),
}
