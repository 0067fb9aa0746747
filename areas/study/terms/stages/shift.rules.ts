import { addDays, dayOf, daysBetween, instantAt, timeOf } from '#kit/contract/day.ts'

/** Days from one term to the other, in whole weeks: what opened on a Sunday opens on a Sunday. */
export const daysBetweenTerms = (from: { start_date: string }, to: { start_date: string }): number =>
  Math.round(daysBetween(from.start_date, to.start_date) / 7) * 7

/** The same hour of the university’s clock, so many days later; clock changes between them count for nothing. */
export const shifted = (instant: string, days: number): string =>
  instantAt(addDays(dayOf(instant), days), timeOf(instant)).toISOString()
