/** What of a payment goes back, and from where. Integers of the minor unit. */
import type { Reason } from '#kit/contract/issues.ts'

export interface PaidFacts {
  readonly amount: number
  /** What of it went back already. */
  readonly refunded: number
  readonly status: string
  readonly direction: 'in' | 'out'
  readonly purpose: string
  /** What it still settles, in the order in which it did. */
  readonly settles: readonly { readonly invoice_id: number; readonly amount: number }[]
  /** What the payer's wallet holds in its currency. */
  readonly wallet: number
}

/** Every reason why so much of a transaction does not go back. */
export function checkRefund(of: PaidFacts, amount: number): Reason[] {
  const left = of.amount - of.refunded
  return [
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
  { amount, refunded, settles, wallet }: Pick<PaidFacts, 'amount' | 'refunded' | 'settles' | 'wallet'>,
  wanted: number,
): { wallet: number; allocations: { invoice_id: number; amount: number }[] } | null {
  const settled = settles.reduce((sum, one) => sum + one.amount, 0)
  const fromWallet = Math.min(wanted, Math.max(0, amount - refunded - settled), wallet)
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
  of: Pick<PaidFacts, 'status' | 'refunded'> & {
    readonly way: string
    readonly shift_closed: boolean
    readonly batch: boolean
  },
): Reason[] {
  return [
    ...(['paid', 'new', 'pending'].includes(of.status) ? [] : [{ code: 'transaction_ended' }]),
    ...(of.refunded > 0 ? [{ code: 'cancel_refunded' }] : []),
    // The provider has the money: it goes back by a refund.
    ...(of.status === 'paid' && (of.way === 'card' || of.way === 'mobile') ? [{ code: 'cancel_by_refund' }] : []),
    ...(of.shift_closed ? [{ code: 'cancel_shift_closed' }] : []),
    ...(of.batch ? [{ code: 'cancel_batch' }] : []),
  ]
}
