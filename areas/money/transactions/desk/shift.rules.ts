/** What a drawer pays out, and why its difference is not reviewed. */
import type { Reason } from '#kit/contract/issues.ts'
import { moneyText } from '#kit/contract/money.ts'

/** Why so much is not paid out of a drawer: nobody hands out money that is not in it. Integers of the minor unit. */
export const checkDrawer = (of: { holds: number; amount: number; currency: string }): Reason[] =>
  of.amount > of.holds ? [{ code: 'cash_drawer_short', data: { holds: moneyText(of.holds, of.currency) } }] : []

export interface ReviewFacts {
  readonly closed: boolean
  readonly differs: boolean
  readonly reviewed: boolean
  /** It is the drawer of who reviews. */
  readonly own: boolean
}
export function checkReview(of: ReviewFacts): Reason[] {
  return [
    ...(of.closed ? [] : [{ code: 'shift_not_closed' }]),
    ...(of.closed && !of.differs ? [{ code: 'shift_no_difference' }] : []),
    ...(of.reviewed ? [{ code: 'shift_review_stays' }] : []),
    ...(of.own ? [{ code: 'shift_review_own' }] : []),
  ]
}
