/** The clock of a thesis: the latest day of its next step, with what stopped it and what was added. */
import { addDays, addMonths, daysBetween } from '#kit/contract/day.ts'
import type { ThesisFacts } from './thesis.rules.ts'

type Timed = Pick<ThesisFacts, 'status' | 'registered_on' | 'approved_on' | 'rules' | 'clock' | 'discussion'>
/**
 * The latest day of the next step: of the approval after registration, of the discussion after the approval, of the changes that the
 * discussion asked for. Days of suspension after the step began come on top; the last extension puts the day off. Null: none.
 */
export function lastDayOf({ status, registered_on, approved_on, rules, clock, discussion }: Timed): string | null {
  if (status === 'discussed')
    return discussion?.changes_due && !discussion.changes_done_on ? discussion.changes_due : null
  const [since, months] =
    status === 'registered' ? [registered_on, rules.approve_months] : [approved_on, rules.max_months]
  if (!since || !['registered', 'approved', 'changing'].includes(status)) return null
  let day = addMonths(since, months)
  for (const one of clock) {
    if (one.kind === 'suspension' && one.until_date > since)
      day = addDays(day, daysBetween(one.from_date < since ? since : one.from_date, one.until_date))
  }
  for (const one of clock)
    if (one.kind === 'extension' && one.from_date >= since && one.until_date > day) day = one.until_date
  return day
}

/** Days before the latest one on which it is told. */
export const WARNED = [90, 30, 7] as const
