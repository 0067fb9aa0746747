/** Why the difference of a drawer is not reviewed. */
import type { Reason } from '#kit/contract/issues.ts'

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
