/** What a list of wishes must be; the browser says the same while one sorts. */
import type { Reason } from '#kit/contract/issues.ts'

export interface PreferencesInput {
  /** Where the window stands. */
  readonly state: string
  /** Staff enter wishes for a student until the distribution is confirmed. */
  readonly staff: boolean
  readonly start: string
  readonly end: string
  /** Why the student does not take part; null: takes part. */
  readonly apart: Reason | null
  readonly most: number
  /** Specialisations that are offered from the student's program. */
  readonly offered: readonly number[]
  readonly wishes: readonly number[]
}

/** Why a student does not take part in a window; null: does. */
export function whyApart(given: {
  readonly studying: boolean
  readonly general: boolean
  readonly offered: boolean
  readonly level: number
  readonly min_level: number | null
  /** Hundredths. */
  readonly hours: number
  readonly min_hours: number | null
}): Reason | null {
  if (!given.studying) return { code: 'specialization_not_studying' }
  if (!given.general || !given.offered) return { code: 'specialization_other_program' }
  if (given.min_level !== null && given.level < given.min_level)
    return { code: 'specialization_level', data: { needed: given.min_level, level: given.level } }
  if (given.min_hours !== null && given.hours < given.min_hours)
    return { code: 'specialization_hours', data: { needed: given.min_hours / 100, passed: given.hours / 100 } }
  return null
}

/** Every reason why a list of wishes cannot be saved. */
export function checkPreferences({
  state,
  staff,
  start,
  end,
  apart,
  most,
  offered,
  wishes,
}: PreferencesInput): Reason[] {
  const reasons: Reason[] = []
  if (state === 'confirmed') reasons.push({ code: 'specialization_confirmed' })
  else if (!staff && state !== 'open')
    reasons.push({ code: state === 'planned' ? 'specialization_not_yet' : 'specialization_over', data: { start, end } })
  if (apart) reasons.push(apart)
  if (wishes.length > most)
    reasons.push({ field: 'specialization_ids', code: 'specialization_too_many', data: { most, count: wishes.length } })
  const seen = new Set<number>()
  for (const [i, wish] of wishes.entries()) {
    const field = `specialization_ids.${i}`
    if (seen.has(wish)) reasons.push({ field, code: 'specialization_wish_twice' })
    else if (!apart && !offered.includes(wish)) reasons.push({ field, code: 'specialization_not_offered' })
    seen.add(wish)
  }
  return reasons
}
