/** What stands against an exam week: the same rule in the form and on the server. */
import type { Reason } from '#kit/contract/issues.ts'
import { addDays } from '#kit/contract/day.ts'

export interface WantedExamWeek {
  readonly start_date: string
  readonly end_date: string
  readonly faculty_id: number | null
  readonly level: number | null
}
export interface ExamWeekFacts {
  readonly term: {
    readonly start_date: string
    readonly end_date: string
    readonly name: string
    readonly name_local: string
  }
  /** Other exam weeks of the term. */
  readonly others: readonly WantedExamWeek[]
}

/** Days that an exam week lasts at most. */
const LONGEST = 60

/** Every reason why an exam week cannot be on these days. */
export function examWeekReasons(wanted: WantedExamWeek, { term, others }: ExamWeekFacts): Reason[] {
  const { start_date, end_date } = wanted
  const out: Reason[] = []
  if (end_date < start_date) out.push({ field: 'end_date', code: 'exam_week_order' })
  else if (end_date > addDays(start_date, LONGEST)) out.push({ field: 'end_date', code: 'exam_week_length' })
  if (start_date < term.start_date || start_date > term.end_date)
    out.push({ field: 'start_date', code: 'exam_week_outside_term', data: { ...term } })
  for (const other of others)
    if (
      other.faculty_id === wanted.faculty_id &&
      other.level === wanted.level &&
      other.start_date <= end_date &&
      start_date <= other.end_date
    )
      out.push({
        field: 'start_date',
        code: 'exam_week_there',
        data: { from: other.start_date, to: other.end_date },
      })
  return out
}
