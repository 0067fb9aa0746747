/** When a report is mailed: on a day of the week, from an hour on, by the calendar and the clock of the university. */
import { addDays, weekPlace } from '#kit/contract/day.ts'

/** The first day from `from` on, itself included, that is this day of the week (0 is Saturday). */
export const dayOfWeekFrom = (from: string, weekday: number): string =>
  addDays(from, (weekday - weekPlace(from) + 7) % 7)

/** The day of the first mail of a schedule that is made now: today, where it is that day and the hour has not begun. */
export const firstMailOn = (
  today: string,
  hourNow: number,
  { weekday, hour }: { weekday: number; hour: number },
): string => dayOfWeekFrom(hourNow < hour ? today : addDays(today, 1), weekday)

/** The day of the mail after one that is sent today, perhaps some days late: never one that lies back. */
export const nextMailOn = (today: string, weekday: number): string => dayOfWeekFrom(addDays(today, 1), weekday)
