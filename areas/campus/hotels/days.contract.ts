import { addDays, dayOf } from '#kit/contract/day.ts'

/** A day so many days from today, for examples of calls. */
export const inDays = (days: number): string => addDays(dayOf(), days)
