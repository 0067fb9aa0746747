import { addDays, daysBetween, weekPlace } from '#kit/contract/day.ts'

/** Figures of the finance dashboard: ages of what is open, and days put together into weeks. */

/** How many days late, at least and at most. */
export const AGES = [
  { age: 'not_due', from: null, to: 0 },
  { age: 'd1_30', from: 1, to: 30 },
  { age: 'd31_60', from: 31, to: 60 },
  { age: 'd61_90', from: 61, to: 90 },
  { age: 'over_90', from: 91, to: null },
] as const
export type Age = (typeof AGES)[number]['age']
/** Of something due on a day that many days ago; what is due today is not late. */
export const ageOf = (daysLate: number): Age =>
  AGES.find((one) => one.to !== null && daysLate <= one.to)?.age ?? 'over_90'
/** Between which days it was due to be of an age today. */
export const dueDays = (age: Age, today: string): { from: string | null; to: string | null } => {
  const { from, to } = AGES.find((one) => one.age === age)!
  if (from === null) return { from: null, to: null }
  return { from: to === null ? null : addDays(today, -to), to: addDays(today, -from) }
}

/** The first day of the week of a day: weeks begin on Saturday. */
export const weekOf = (day: string): string => addDays(day, -weekPlace(day))

export interface DayRow {
  readonly day: string
  readonly way: string
  readonly amount: number
}
export interface Span {
  readonly from: string
  readonly to: string
  /** By way of payment. */
  readonly amounts: Readonly<Record<string, number>>
}
/** Days longer than which the time of a chart is told by weeks. */
export const DAYS_AT_MOST = 45

/**
 * What came by day or week, without gaps, from the first to the last day on which anything came. Weeks end where the time asked for
 * does, so that their bars lead to exactly the rows that they count.
 */
export function spansOf(rows: readonly DayRow[], by: 'day' | 'week', from: string, to: string): Span[] {
  if (!rows.length) return []
  const days = rows.map((row) => row.day).toSorted()
  const start = by === 'week' ? weekOf(days[0]!) : days[0]!
  const step = by === 'week' ? 7 : 1
  const spans: Span[] = []
  for (let first = start; first <= days.at(-1)!; first = addDays(first, step)) {
    const last = addDays(first, step - 1)
    const amounts: Record<string, number> = {}
    for (const row of rows)
      if (row.day >= first && row.day <= last) amounts[row.way] = (amounts[row.way] ?? 0) + row.amount
    spans.push({ from: first < from ? from : first, to: last > to ? to : last, amounts })
  }
  return spans
}
/** Which of the two the chart begins with. */
export const spanFor = (rows: readonly DayRow[]): 'day' | 'week' => {
  const days = rows.map((row) => row.day).toSorted()
  return rows.length && daysBetween(days[0]!, days.at(-1)!) >= DAYS_AT_MOST ? 'week' : 'day'
}
