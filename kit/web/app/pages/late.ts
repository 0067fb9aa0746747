import { dayOf, daysBetween } from '#kit/contract/day.ts'

/** By how many days of the university something is late; null: there is time yet, 0: since an earlier hour of today. */
export function daysLate(until: string, now = Date.now()): number | null {
  if (Date.parse(until) >= now) return null
  return daysBetween(dayOf(until), dayOf(new Date(now)))
}

/** How many days of the university are left; 0: it is today. */
export const daysLeft = (until: string, now = Date.now()): number => daysBetween(dayOf(new Date(now)), dayOf(until))
