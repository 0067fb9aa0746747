/** Whether a student can be put into a program by hand. */
import type { Reason } from '#kit/contract/issues.ts'
import { unmet, type Applicant, type ProgramSeat } from '../distribution/assign.rules.ts'

export interface SpecialiseInput {
  readonly studying: boolean
  readonly general: boolean
  /** The way from the student's program into the one asked for; null: there is none. */
  readonly seat: ProgramSeat | null
  readonly student: Pick<Applicant, 'program_id' | 'gpa' | 'passed_hours' | 'met' | 'elsewhere'>
  /** Places left of the last window; null: it does not say. */
  readonly left: number | null
  /** A window in which the student may still be given something. */
  readonly waiting: { readonly start: string; readonly end: string } | null
  readonly program: { readonly program: string; readonly program_local: string }
  /** Conditions and places are set aside. */
  readonly override: boolean
}

/**
 * Every reason why not. What must be so is not set aside: studying, a general program, a way into the other, and no other
 * record of the same person there.
 */
export function checkSpecialise(input: SpecialiseInput): Reason[] {
  const { studying, general, seat, student, left, waiting, program, override } = input
  const reasons: Reason[] = []
  if (!studying) reasons.push({ code: 'specialization_not_studying' })
  if (!general) reasons.push({ code: 'specialization_from_general', data: program })
  else if (!seat) reasons.push({ code: 'specialization_no_way', data: program })
  if (!seat) return reasons
  const met = unmet(student, seat)
  if (override) return [...reasons, ...met.filter((one) => one.code === 'specialization_own_record')]
  reasons.push(...met)
  if (left !== null && left <= 0) reasons.push({ code: 'specialization_places_taken', data: program })
  if (waiting) reasons.push({ code: 'specialization_window_waits', data: waiting })
  return reasons
}
