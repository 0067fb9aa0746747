const pad = (n: number): string => String(n).padStart(2, '0')

/**
 * The day on which an instant falls where this runs (the reader's zone in the browser, the university's on the server: `TZ`),
 * as `YYYY-MM-DD`. The only way from an instant to a day: its text is UTC, and cutting it gives the day before or after.
 */
export function dayOf(instant: string | Date = new Date()): string {
  const at = typeof instant === 'string' ? new Date(instant) : instant
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}
