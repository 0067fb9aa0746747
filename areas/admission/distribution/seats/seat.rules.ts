import type { Reason } from '#kit/contract/issues.ts'
import type { ProgramTerms } from '../input.rules.ts'

/** What is looked at when somebody is given a seat by hand. */
export interface GivenSeatFacts {
  /** Where the application stands, as people read it. */
  readonly status: string
  readonly status_local: string
  /** It waits for a seat, or has one that can still be changed. */
  readonly possible: boolean
  /** The program that it has already. */
  readonly same: boolean
  /** A transfer whose equivalence was settled for its program. */
  readonly equivalent: boolean
  /** Seats and limits that are left; null: the admission does not offer the program. */
  readonly terms: ProgramTerms | null
  readonly groups: readonly number[]
  /** Conditions that are not met. */
  readonly conditions: readonly Reason[]
  readonly exception: boolean
  readonly reason: boolean
}

/** Every reason why somebody cannot be given a seat by hand. Conditions can be passed over with a reason; seats and limits cannot. */
export function checkSeat(facts: GivenSeatFacts): Reason[] {
  const reasons: Reason[] = []
  if (!facts.possible)
    reasons.push({ code: 'applicant_late', data: { status: facts.status, status_local: facts.status_local } })
  if (facts.same) reasons.push({ code: 'seat_same' })
  if (facts.equivalent) reasons.push({ code: 'seat_equivalent' })
  if (facts.terms === null) return [...reasons, { field: 'program_id', code: 'seat_not_offered' }]
  const { capacity, limits } = facts.terms
  const own = limits.find(({ group }) => facts.groups.includes(group))
  const forOthers = limits.reduce((sum, one) => sum + (one === own ? 0 : one.reserved), 0)
  if (capacity === 0) reasons.push({ field: 'program_id', code: 'seat_none' })
  else if (own?.maximum === 0) reasons.push({ field: 'program_id', code: 'seat_group_full' })
  else if (capacity <= forOthers && !own?.reserved)
    reasons.push({ field: 'program_id', code: 'seat_reserved', data: { seats: capacity } })
  if (facts.conditions.length) {
    if (!facts.exception) reasons.push(...facts.conditions)
    else if (!facts.reason) reasons.push({ field: 'reason', code: 'reason_required' })
  }
  return reasons
}
