import type { Reason } from '#kit/contract/issues.ts'

/** What is known of a meeting on a date. */
export interface OccurrenceFacts {
  /** Something is recorded of it: it took place then, whatever the timetable says now. */
  readonly known: boolean
  readonly dates: readonly string[]
  readonly date: string
  readonly today: string
  readonly cancelled: string | null
  /** Control has the marks of the offering. */
  readonly submitted: boolean
  /** The day on which it is held instead; null: it is not. */
  readonly made_up?: string | null
  /** Students of whom attendance is recorded. */
  readonly recorded?: number
}

/** Whether the meeting takes place on a day by the timetable anyway. */
export const attendableDay = ({ dates }: Pick<OccurrenceFacts, 'dates'>, day: string): boolean => dates.includes(day)

/** Why this date is none of the meeting's. */
const checkDate = ({ known, dates, date }: OccurrenceFacts): Reason[] =>
  known || dates.includes(date) ? [] : [{ code: 'occurrence_none', data: { date } }]
const checkControl = ({ submitted }: OccurrenceFacts): Reason[] => (submitted ? [{ code: 'attendance_submitted' }] : [])

/** Every reason why attendance of the date cannot be recorded now. */
export const checkRecording = (facts: OccurrenceFacts): Reason[] => [
  ...checkDate(facts),
  ...checkControl(facts),
  ...(facts.cancelled !== null ? [{ code: 'occurrence_cancelled', data: { date: facts.date } }] : []),
  ...(facts.date > facts.today ? [{ code: 'occurrence_to_come', data: { date: facts.date } }] : []),
]
/** Every reason why the codes of the date cannot be shown: they are for those who sit there now. */
export const checkOpening = (facts: OccurrenceFacts): Reason[] => [
  ...checkRecording({ ...facts, today: facts.date }),
  ...(facts.date === facts.today ? [] : [{ code: 'code_only_today', data: { date: facts.date } }]),
]
/** Every reason why the meeting of the date cannot be cancelled. */
export const checkCancelling = (facts: OccurrenceFacts): Reason[] => [
  ...checkDate(facts),
  ...checkControl(facts),
  ...(facts.cancelled !== null ? [{ code: 'occurrence_cancelled', data: { date: facts.date } }] : []),
  // It took place: nobody is told the contrary, and what was recorded counts.
  ...(facts.date < facts.today && (facts.recorded ?? 0) > 0
    ? [{ code: 'occurrence_taken', data: { date: facts.date, count: facts.recorded } }]
    : []),
]
/** Every reason why it cannot be restored. */
export const checkRestoring = (facts: OccurrenceFacts): Reason[] => [
  ...checkControl(facts),
  ...(facts.cancelled === null ? [{ code: 'occurrence_not_cancelled', data: { date: facts.date } }] : []),
  ...(facts.made_up ? [{ code: 'occurrence_made_up', data: { date: facts.date, on: facts.made_up } }] : []),
]
