/** When a deposit is given back. Integers of the minor unit. */
import type { Reason } from '#kit/contract/issues.ts'
import { moneyText } from '#kit/contract/money.ts'

export interface DepositFacts {
  readonly currency: string
  readonly held: number
  /** What the student owes in that currency, under whichever record. */
  readonly owed: number
  /** How the student stands: `studying`, `graduated` … */
  readonly status: string
  /** Who is dismissed gets it back. */
  readonly back_to_dismissed: boolean
}

/** Who has left the university for good. */
const LEFT: ReadonlySet<string> = new Set(['graduated', 'withdrawn', 'transferred', 'dismissed'])
export const hasLeft = (status: string): boolean => LEFT.has(status)

/** Where a deposit stands; `returned`: what of it was given back before. */
export const depositState = (
  // Of who is no student it is given back by what it was held for: a stay that ends.
  of: Pick<DepositFacts, 'held' | 'back_to_dismissed'> & { readonly status: string | null },
): 'held' | 'to_return' | 'given_back' =>
  of.held === 0
    ? 'given_back'
    : of.status !== null && hasLeft(of.status) && (of.status !== 'dismissed' || of.back_to_dismissed)
      ? 'to_return'
      : 'held'

/** Every reason why a deposit is not given back. `set_off`: what is owed is settled with it. */
export function checkReturn(of: DepositFacts, { set_off }: { readonly set_off: boolean }): Reason[] {
  return [
    ...(of.held > 0 ? [] : [{ code: 'deposit_none', data: { currency: of.currency } }]),
    ...(hasLeft(of.status) ? [] : [{ code: 'deposit_studies' }]),
    ...(of.status === 'dismissed' && !of.back_to_dismissed ? [{ code: 'deposit_dismissed' }] : []),
    ...(of.owed > 0 && !set_off ? [{ code: 'deposit_owed', data: { owed: moneyText(of.owed, of.currency) } }] : []),
  ]
}
