import { dayOf } from '#kit/contract/day.ts'

/** Kinds of window that concern what a student does about the own courses; others are the staff's. */
export const EXCEPTIONAL = ['register', 'add_drop', 'withdraw', 'excuse'] as const

/** An exception as it is to be saved. Moments are ISO 8601. */
export interface ExceptionInput {
  readonly code: string
  readonly starts_at: string
  readonly ends_at: string
  readonly now: string
  /** Last day of the term, `YYYY-MM-DD`, and whether its results are complete. */
  readonly term_ends: string
  readonly students: readonly { readonly code: string; readonly studying: boolean; readonly of_faculty: boolean }[]
}
export interface ExceptionProblem {
  readonly code: string
  readonly field: string
  readonly data?: Readonly<Record<string, unknown>>
}

const LONGEST = 60 * 86_400_000

/** Every reason why a window cannot be opened for these students. */
export function checkException(e: ExceptionInput): ExceptionProblem[] {
  const problems: ExceptionProblem[] = []
  if (!(EXCEPTIONAL as readonly string[]).includes(e.code))
    problems.push({ code: 'exception_kind', field: 'stage_code_id' })
  const [from, to] = [Date.parse(e.starts_at), Date.parse(e.ends_at)]
  if (to <= from) problems.push({ code: 'exception_order', field: 'ends_at' })
  else if (to - from > LONGEST) problems.push({ code: 'exception_too_long', field: 'ends_at', data: { days: 60 } })
  if (to <= Date.parse(e.now)) problems.push({ code: 'exception_over', field: 'ends_at' })
  if (e.term_ends < dayOf(e.now)) problems.push({ code: 'exception_term_over', field: 'term_id' })
  if (!e.students.length) problems.push({ code: 'exception_nobody', field: 'students' })
  const codes = (wrong: (one: ExceptionInput['students'][number]) => boolean) =>
    e.students.filter(wrong).map(({ code }) => code)
  const elsewhere = codes((one) => !one.of_faculty)
  if (elsewhere.length)
    problems.push({ code: 'exception_elsewhere', field: 'students', data: { students: elsewhere.join(', ') } })
  const gone = codes((one) => one.of_faculty && !one.studying)
  if (gone.length)
    problems.push({ code: 'exception_not_studying', field: 'students', data: { students: gone.join(', ') } })
  return problems
}
