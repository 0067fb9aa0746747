/** What of a payment goes back, and from where. Integers of the minor unit. */
import type { Reason } from '#kit/contract/issues.ts'

export interface PaidFacts {
  readonly amount: number
  /** What of it went back already. */
  readonly refunded: number
  /** What of it others ask back, and what of that lies in the wallet. */
  readonly asked?: number
  readonly asked_from_wallet?: number
  readonly status: string
  readonly direction: 'in' | 'out'
  readonly purpose: string
  /** What it still settles, in the order in which it did. */
  readonly settles: readonly { readonly invoice_id: number; readonly amount: number }[]
  /** What the payer's wallet holds in its currency, beside what is asked for out of it. */
  readonly wallet: number
}

/** Every reason why so much of a transaction does not go back. */
export function checkRefund(of: PaidFacts, amount: number): Reason[] {
  const left = of.amount - of.refunded - (of.asked ?? 0)
  return [
    ...(amount > 0 ? [] : [{ code: 'refund_too_much', data: { left: left / 100 } }]),
    ...(of.direction === 'in' && of.status === 'paid' ? [] : [{ code: 'refund_not_paid' }]),
    ...(amount > left ? [{ code: 'refund_too_much', data: { left: left / 100 } }] : []),
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
  for (const one of settles.toReversed()) {
    const part = Math.min(left, one.amount)
    if (part > 0) allocations.push({ invoice_id: one.invoice_id, amount: part })
    left -= part
  }
  return left > 0 ? null : { wallet: fromWallet, allocations }
}

/** Every reason why a transaction is not cancelled. */
export function checkCancel(
  of: Pick<PaidFacts, 'status' | 'refunded' | 'asked'> & {
    readonly direction?: 'in' | 'out'
    readonly way: string
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
  /** The student whose money it is. */
  readonly student_user_id: number | null
}

/** Every reason why one of these people, who act as one, does not decide on what is asked back. */
export function checkDecide(of: RequestFacts, people: readonly number[]): Reason[] {
  return [
    ...(of.status === 'asked' ? [] : [{ code: 'refund_request_ended' }]),
    ...(people.includes(of.asked_by) ? [{ code: 'refund_own_request' }] : []),
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
