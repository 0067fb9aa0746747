import { dayOf } from '#kit/contract/day.ts'

const DAY = 86_400_000

/** By how many days of the university something is late; null: there is time yet, 0: since an earlier hour of today. */
export function daysLate(until: string, now = Date.now()): number | null {
  if (Date.parse(until) >= now) return null
  return Math.round((Date.parse(dayOf(new Date(now))) - Date.parse(dayOf(until))) / DAY)
}
