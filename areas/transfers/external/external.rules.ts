import type { Reason } from '#kit/contract/issues.ts'

/** What executing an equivalence from elsewhere looks at. */
export interface ExternalFacts {
  readonly studying: boolean
  readonly same_program: boolean
  readonly courses: number
  readonly undecided: number
  /** Courses that were passed here, or credited, since they were decided on. */
  readonly passed_meanwhile: number
  /** Codes of courses that are to be credited and are in the plan no more; null: all are. */
  readonly gone: string | null
}
/** Why courses from elsewhere cannot be credited now. */
export const checkExternal = (facts: ExternalFacts): Reason[] => [
  ...(facts.studying ? [] : [{ code: 'transfer_not_studying' }]),
  ...(facts.same_program ? [] : [{ code: 'transfer_program_changed' }]),
  ...(facts.courses ? [] : [{ code: 'transfer_without_courses' }]),
  ...(facts.undecided ? [{ code: 'transfer_undecided', data: { count: facts.undecided } }] : []),
  ...(facts.passed_meanwhile ? [{ code: 'transfer_passed_meanwhile', data: { count: facts.passed_meanwhile } }] : []),
  ...(facts.gone ? [{ code: 'transfer_course_gone', data: { courses: facts.gone } }] : []),
]
