const pad = (n: number): string => String(n).padStart(2, '0')

/**
 * The day on which an instant falls where this runs (the reader's zone in the browser, the university's on the server: `TZ`),
 * as `YYYY-MM-DD`. The only way from an instant to a day: its text is UTC, and cutting it gives the day before or after.
 */
export function dayOf(instant: string | Date = new Date()): string {
  const at = typeof instant === 'string' ? new Date(instant) : instant
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The day so many days after `day` (before, when negative); days are those of the calendar, whatever the zone. */
export function addDays(day: string, days: number): string {
  const at = utc(day)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** Days from one day to another: zero for the same day, negative if `until` comes first. */
export const daysBetween = (from: string, until: string): number =>
  Math.round((utc(until).getTime() - utc(from).getTime()) / 86_400_000)

/** Place of a day in a week that begins on Saturday: 0 to 6, as days of the week are numbered everywhere. */
export const weekPlace = (day: string): number => (utc(day).getUTCDay() + 1) % 7
