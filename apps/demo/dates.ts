/** Calendar arithmetic on `YYYY-MM-DD` texts, without time zones. */

const DAY = 86_400_000

const read = (date: string): number => Date.parse(`${date}T00:00:00Z`)

/** The date `days` later (earlier when negative). */
export const addDays = (date: string, days: number): string =>
  new Date(read(date) + days * DAY).toISOString().slice(0, 10)

/** Day of the week, 0 is Sunday. */
export const weekday = (date: string): number => new Date(read(date)).getUTCDay()

/** The Saturday on or before a date: teaching weeks begin on Saturday. */
export const saturdayBefore = (date: string): string => addDays(date, -((weekday(date) + 1) % 7))

export const isoDate = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
