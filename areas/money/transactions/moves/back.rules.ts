/** What of a payment goes back, and from where. Integers of the minor unit. */
import type { Reason } from '#kit/contract/issues.ts'
import { moneyText } from '#kit/contract/money.ts'

export interface PaidFacts {
  readonly currency: string
  readonly amount: number
  /** What of it went back already. */
  readonly refunded: number
  /** What of it others ask back, and what of that lies in the wallet. */
  readonly asked?: number
  readonly asked_from_wallet?: number
  readonly status: string
  readonly direction: 'in' | 'out'
  readonly purpose: string
  /** How it came. */
  readonly way?: string
  /** What it still settles, in the order in which it did. */
  readonly settles: readonly { readonly invoice_id: number; readonly amount: number }[]
  /** What the payer's wallet holds in its currency, beside what is asked for out of it. */
  readonly wallet: number
}

/** Every reason why so much of a transaction does not go back. */
export function checkRefund(of: PaidFacts, amount: number): Reason[] {
  const left = of.amount - of.refunded - (of.asked ?? 0)
  return [
    ...(amount > 0 ? [] : [{ code: 'refund_too_much', data: { left: moneyText(left, of.currency) } }]),
    ...(of.direction === 'in' && of.status === 'paid' ? [] : [{ code: 'refund_not_paid' }]),
    // Nothing came: what was held is the payer's again, and lies in the wallet.
    ...(of.way === 'deposit' ? [{ code: 'refund_deposit' }] : []),
    ...(amount > left ? [{ code: 'refund_too_much', data: { left: moneyText(left, of.currency) } }] : []),
    ...(amount > left || takenFrom(of, amount) !== null ? [] : [{ code: 'refund_spent' }]),
  ]
}

/**
 * Where what goes back is taken from: first what of the payment is in the wallet still, then the invoices that it settled, the last
 * one first. null: part of it was spent from the wallet meanwhile.
 */
export function takenFrom(
  {
    amount,
    refunded,
    asked_from_wallet = 0,
    settles,
    wallet,
  }: Pick<PaidFacts, 'amount' | 'refunded' | 'asked_from_wallet' | 'settles' | 'wallet'>,
  wanted: number,
): { wallet: number; allocations: { invoice_id: number; amount: number }[] } | null {
  const settled = settles.reduce((sum, one) => sum + one.amount, 0)
  const fromWallet = Math.min(wanted, Math.max(0, amount - refunded - settled - asked_from_wallet), wallet)
  let left = wanted - fromWallet
  const allocations: { invoice_id: number; amount: number }[] = []
  for (const settle of settles.toReversed()) {
    const part = Math.min(left, settle.amount)
    if (part > 0) allocations.push({ invoice_id: settle.invoice_id, amount: part })
    left -= part
  }
  return left > 0 ? null : { wallet: fromWallet, allocations }
}

/** A line of what settled an invoice, of transactions that count. */
export interface SettledLine {
  readonly transaction_id: number
  readonly invoice_id: number
  /** Negative: taken back. */
  readonly amount: number
  /** Of a refund: the payment that goes back. */
  readonly refund_of: number | null
}

/**
 * What a payment settles still, in the order in which it did. An invoice that charges less than was paid puts the rest into the
 * wallet without saying whose it was: what settled it last left it first.
 *
 * @param lines all of the invoices that it settled, in their order
 * @returns also which of those moves into the wallet took what of this payment
 */
export function settledBy(
  payment: number,
  lines: readonly SettledLine[],
): {
  readonly settles: { readonly invoice_id: number; readonly amount: number }[]
  readonly released: { readonly transaction_id: number; readonly amount: number }[]
} {
  const stacks = new Map<number, { readonly of: number; amount: number }[]>()
  const released: { transaction_id: number; amount: number }[] = []
  for (const { transaction_id, invoice_id, amount, refund_of } of lines) {
    const stack = stacks.get(invoice_id) ?? []
    stacks.set(invoice_id, stack)
    if (amount > 0) stack.push({ of: transaction_id, amount })
    let left = Math.max(0, -amount)
    for (const one of stack.toReversed()) {
      if (refund_of !== null && one.of !== refund_of) continue
      const part = Math.min(left, one.amount)
      one.amount -= part
      left -= part
      if (part > 0 && refund_of === null && one.of === payment) released.push({ transaction_id, amount: part })
    }
  }
  return {
    settles: [...stacks].flatMap(([invoice_id, stack]) => {
      const amount = stack.reduce((sum, one) => (one.of === payment ? sum + one.amount : sum), 0)
      return amount > 0 ? [{ invoice_id, amount }] : []
    }),
    released,
  }
}

/** Every reason why a transaction is not cancelled. */
export function checkCancel(
  of: Pick<PaidFacts, 'status' | 'refunded' | 'asked'> & {
    readonly direction?: 'in' | 'out'
    readonly way: string
    /** Cash that went through the drawer of who cancels: with the receipt given, the money would be theirs. */
    readonly own_drawer?: boolean
    readonly shift_closed: boolean
    readonly batch: boolean
  },
): Reason[] {
  return [
    ...(['paid', 'new', 'pending'].includes(of.status) ? [] : [{ code: 'transaction_ended' }]),
    ...(of.refunded > 0 ? [{ code: 'cancel_refunded' }] : []),
    ...((of.asked ?? 0) > 0 ? [{ code: 'cancel_asked_back' }] : []),
    // The provider has the money: it goes back by a refund.
    ...(of.status === 'pending' && of.direction === 'out' ? [{ code: 'refund_not_answered' }] : []),
    ...(of.status === 'paid' && (of.way === 'card' || of.way === 'mobile') ? [{ code: 'cancel_by_refund' }] : []),
    ...(of.own_drawer ? [{ code: 'cancel_own_drawer' }] : []),
    ...(of.shift_closed ? [{ code: 'cancel_shift_closed' }] : []),
    ...(of.batch ? [{ code: 'cancel_batch' }] : []),
  ]
}

/**
 * Whether another person approves what goes back: where it is, with what of the same went back already, above the limit. Many
 * small ones are one large one.
 *
 * @param limit of the currency; null: none
 */
export const needsSecondPerson = (limit: number | null, before: number, amount: number): boolean =>
  limit !== null && before + amount > limit

export interface RequestFacts {
  readonly status: string
  readonly asked_by: number
  /** Who really sat there, acting as who asked. */
  readonly really_asked_by?: number | null
  /** The student whose money it is. */
  readonly student_user_id: number | null
}

/** Every reason why one of these people, who act as one, does not decide on what is asked back. */
export function checkDecide(of: RequestFacts, people: readonly number[]): Reason[] {
  return [
    ...(of.status === 'asked' ? [] : [{ code: 'refund_request_ended' }]),
    ...(people.some((one) => one === of.asked_by || one === of.really_asked_by)
      ? [{ code: 'refund_own_request' }]
      : []),
    ...(of.student_user_id !== null && people.includes(of.student_user_id) ? [{ code: 'refund_own_money' }] : []),
  ]
}

/** Every reason why what is asked back is not paid out now. */
export function checkPayOut(of: RequestFacts, people: readonly number[]): Reason[] {
  return [
    ...(of.status === 'approved'
      ? []
      : [{ code: of.status === 'asked' ? 'refund_not_approved' : 'refund_request_ended' }]),
    ...(of.student_user_id !== null && people.includes(of.student_user_id) ? [{ code: 'refund_own_money' }] : []),
  ]
}

/** Every reason why somebody does not take back what is asked. */
export function checkWithdraw(of: RequestFacts, people: readonly number[]): Reason[] {
  return [
    ...(of.status === 'asked' || of.status === 'approved' ? [] : [{ code: 'refund_request_ended' }]),
    ...(people.includes(of.asked_by) ? [] : [{ code: 'refund_not_own_request' }]),
  ]
}

/**
 * Whether a refund that was not answered has happened, by what the provider says of the payment. Where it does not say how much
 * went back, what went back before decides; null: it cannot be told.
 */
export function refundHappened(
  of: { readonly payment: number; readonly done: number; readonly amount: number },
  says: { readonly status: string; readonly refunded: number | null; readonly whole: boolean | null },
): boolean | null {
  if (says.status === 'paid') return false
  if (says.status !== 'refunded') return null
  if (says.refunded !== null)
    return says.refunded >= of.done + of.amount ? true : says.refunded === of.done ? false : null
  if (of.done === 0) return true
  const all = of.done + of.amount === of.payment
  if (says.whole === null) return null
  return says.whole ? (all ? true : null) : all ? false : null
}
