import type { Reason } from '#kit/contract/issues.ts'

/** From what a student is excused. */
export type ExcuseKind = 'absence' | 'exam' | 'course' | 'term'

/** What is known of a course of an excuse. */
export interface ExcusedCourse {
  readonly course: string
  /** State of the registration; null: it was removed. */
  readonly state: 'Registered' | 'ExcuseRequest' | 'Excused' | 'other' | null
  /** Control has the marks. */
  readonly submitted: boolean
}
/** What is known of an excuse when it is asked for or accepted. */
export interface ExcuseFacts {
  readonly kind: ExcuseKind
  readonly courses: readonly ExcusedCourse[]
}

/** Why an excuse changes nothing any more: of a course that was left, or whose marks control has. */
export function checkExcuse({ kind, courses }: ExcuseFacts): Reason[] {
  const left = courses.filter(({ state }) => state === null || state === 'other')
  // Of a term, courses that were left meanwhile are none of it; there must be another.
  const none = kind === 'term' && left.length === courses.length
  const missing = kind === 'term' ? [] : left
  return [
    ...(none || !courses.length ? [{ code: 'excuse_no_course' }] : []),
    ...(courses.length ? missing.map(({ course }) => ({ code: 'excuse_course_left', data: { course } })) : []),
    ...courses
      .filter(({ submitted, state }) => submitted && state !== null && state !== 'other')
      .map(({ course }) => ({ code: 'excuse_submitted', data: { course } })),
  ]
}

/** Days of an excuse: those of absences and exams lie in the term. */
export function checkExcuseDays(
  { kind, from_date, to_date }: { kind: ExcuseKind; from_date: string | null; to_date: string | null },
  term: { start: string; end: string },
): Reason[] {
  if (kind === 'course' || kind === 'term') return []
  if (!from_date || !to_date) return [{ field: from_date ? 'to_date' : 'from_date', code: 'excuse_days_missing' }]
  if (to_date < from_date) return [{ field: 'to_date', code: 'excuse_days_order' }]
  if (from_date < term.start || to_date > term.end)
    return [{ field: 'from_date', code: 'excuse_days_outside', data: { start: term.start, end: term.end } }]
  return []
}
