import { z } from 'zod'
import { INVOICE_STATES, INVOICE_TYPES } from '#areas/money/invoices/invoices/invoice.contract.ts'
import { call, id, ref } from '#kit/contract/index.ts'
import { transactionRow, walletOfWay, PAYMENT_WAYS } from '../moves/transaction.contract.ts'

/** An amount in minor units. */
const money = z.int()
const invoice = z.object({
  id,
  number: z.string(),
  type: z.enum(INVOICE_TYPES.map((one) => one.value)),
  year: ref.nullable(),
  term: ref.nullable(),
  currency: z.string(),
  charged: money,
  state: z.enum(INVOICE_STATES.map((one) => one.value)),
  issued_on: z.string(),
  /** A plan to pay it in parts runs: none of them is late. */
  in_plan: z.boolean(),
})
export type IssuedInvoice = z.output<typeof invoice>
const open = invoice.extend({
  settled: money,
  open: money,
  /** What it charges, and what notes changed of it. */
  lines: z.array(
    z.object({
      id,
      name: z.string(),
      name_local: z.string(),
      amount: money,
      /** How it was computed, in words. */
      words: z.object({ en: z.string(), ar: z.string() }).nullable(),
    }),
  ),
  installments: z.array(
    z.object({
      id,
      amount: money,
      settled: money,
      due_date: z.string(),
      overdue: z.boolean(),
      /** A slip that was handed in for it, and waits to be checked. */
      slip: z.string().nullable(),
    }),
  ),
})
/** An invoice of which something is open, as its payer sees it. */
export type OpenInvoice = z.output<typeof open>
const move = transactionRow.omit({ student: true, payer: true, abilities: true })
export type AccountMove = z.output<typeof move>

const refund = z.object({
  id,
  number: z.string(),
  currency: z.string(),
  amount: money,
  way: z.enum(PAYMENT_WAYS.map((one) => one.value)),
  status: z.enum(['asked', 'approved']),
})
/** Money that goes back and is not paid out yet. */
export type AwaitedRefund = z.output<typeof refund>

const outletNumber = z.object({
  /** Of the transaction that waits for it. */
  id,
  number: z.string(),
  provider: z.string(),
  currency: z.string(),
  amount: money,
  invoice_id: id,
  expires_at: z.string().nullable(),
  /** The invoice is paid by now: whoever pays the number pays twice. */
  paid: z.boolean(),
})
/** A number by which a part is paid at an outlet. */
export type OutletNumber = z.output<typeof outletNumber>

const account = z.object({
  /** Invoices of which something is open, by when they are due. */
  open: z.array(open),
  /** The latest invoices, and the latest transactions. */
  issued: z.array(invoice),
  transactions: z.array(move),
  /** What is asked for or approved, and not paid out yet. */
  refunds: z.array(refund),
  /** Numbers that were asked for and wait to be paid at an outlet. */
  numbers: z.array(outletNumber),
  wallet: walletOfWay,
})
export type StudentAccount = z.output<typeof account>

/** Of invoices and transactions, so many of the latest are shown. */
export const LATEST = 100

export const accountCalls = {
  account: call('GET', '/student-payments/{id}', {
    permission: 'access_transaction',
    summary: [
      'The account of a student: owed, charged, paid and in the wallet',
      'حساب طالب: المستحق والمفوتر والمدفوع والمحفظة',
    ],
    response: z.object({ data: account }),
    traced: 'transaction',
    kept: 'own',
  }),
}
