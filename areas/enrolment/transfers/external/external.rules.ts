import { fold } from '#kit/contract/fold.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** Courses of one transfer at most. */
export const MOST_COURSES = 100

/** By what a code is known again, as the database's `elsewhere_key` has it: MTH 101, mth-101 and MTH101 are one. */
export const codeKey = (code: string): string => fold(code).replaceAll(/[-\s._/]+/g, '')

/** Why courses cannot be typed so: every reason. `there`: what the transfer has, without what a course counts as besides. */
export function checkTyped(
  there: readonly { readonly id: number; readonly code: string }[],
  {
    courses,
    remove,
  }: {
    readonly courses: readonly { readonly id?: number | undefined; readonly code: string }[]
    readonly remove: readonly number[]
  },
): Reason[] {
  const own = new Set(there.map((one) => one.id))
  const going = new Set(remove)
  const changing = new Set(courses.flatMap((one) => one.id ?? []))
  const reasons: Reason[] = []
  for (const [i, id] of remove.entries())
    if (!own.has(id)) reasons.push({ field: `remove.${i}`, code: 'reference_missing' })
  const keys = new Map(
    there.filter((one) => !going.has(one.id) && !changing.has(one.id)).map((one) => [codeKey(one.code), one.id]),
  )
  const changed = new Set<number>()
  for (const [i, { id, code }] of courses.entries()) {
    if (id !== undefined && (!own.has(id) || going.has(id) || changed.has(id)))
      reasons.push({ field: `courses.${i}.id`, code: 'reference_missing' })
    if (id !== undefined) changed.add(id)
    if (keys.has(codeKey(code)))
      reasons.push({ field: `courses.${i}.code`, code: 'transfer_course_twice', data: { course: code } })
    keys.set(codeKey(code), id ?? -1)
  }
  const count =
    there.length - [...going].filter((id) => own.has(id)).length + courses.filter((one) => one.id === undefined).length
  if (count > MOST_COURSES)
    reasons.push({ field: 'courses', code: 'transfer_courses_most', data: { most: MOST_COURSES } })
  return reasons
}

/** What executing an equivalence from elsewhere looks at. */
export interface ExternalFacts {
  /** Whether the application was given a program and goes on; null: they are of a student. */
  readonly applying: boolean | null
  readonly studying: boolean
  /** The student, or the application, is in the program for which it was decided. */
  readonly same_program: boolean
  /** They count in the record of a student. */
  readonly credited: boolean
  readonly courses: number
  readonly undecided: number
  /** Courses that were passed here, or credited, since they were decided on. */
  readonly passed_meanwhile: number
  /** Codes of courses that are to be credited and are in the plan no more; null: all are. */
  readonly gone: string | null
  /** Codes of courses that course or bylaw would not take so any more; null: all fit. */
  readonly unfit: string | null
}
/** Why courses from elsewhere cannot be credited now. */
export const checkExternal = (facts: ExternalFacts): Reason[] => [
  ...(facts.applying === null
    ? [
        ...(facts.studying ? [] : [{ code: 'transfer_not_studying' }]),
        ...(facts.same_program ? [] : [{ code: 'transfer_program_changed' }]),
      ]
    : [
        ...(facts.applying ? [] : [{ code: 'transfer_not_applying' }]),
        ...(facts.same_program ? [] : [{ code: 'transfer_other_program' }]),
      ]),
  ...(facts.courses ? [] : [{ code: 'transfer_without_courses' }]),
  ...(facts.undecided ? [{ code: 'transfer_undecided', data: { count: facts.undecided } }] : []),
  ...(facts.passed_meanwhile ? [{ code: 'transfer_passed_meanwhile', data: { count: facts.passed_meanwhile } }] : []),
  ...(facts.unfit ? [{ code: 'transfer_rules_changed', data: { courses: facts.unfit } }] : []),
  ...(facts.gone ? [{ code: 'transfer_course_gone', data: { courses: facts.gone } }] : []),
]

/** What was settled for an applicant is decided anew as long as it counts in no record. */
export const checkOpeningAgain = ({ credited }: ExternalFacts): Reason[] =>
  credited ? [{ code: 'transfer_credited' }] : []
