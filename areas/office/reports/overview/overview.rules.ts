import { dayOf, daysBetween } from '#kit/contract/day.ts'
import { loadMains } from '#areas/common/academics/status.rules.ts'
import type { MainFlag } from '#areas/common/academics/status.rules.ts'

/** States in which a student asks for something and somebody has to answer. */
export const REQUEST_STATES = [
  'RegisterRequest',
  'AddRequest',
  'DropRequest',
  'WithdrawRequest',
  'ExcuseRequest',
] as const satisfies readonly MainFlag[]
/** States in which a student is registered: they count in the load, and are no wish to come any more. */
export const REGISTERED_STATES = loadMains.filter((main) => main !== 'RegisterRequest' && main !== 'AddRequest')

const DAY = 86_400_000
/** Days from today to the day of an instant, in the university's calendar; 0: today, never less. */
export const daysLeft = (instant: string, now: number): number =>
  Math.max(0, daysBetween(dayOf(new Date(now)), dayOf(instant)))

/** How much of a window is over: 0 before it opens, 1 when it closes. */
export const progressOf = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }, now: number): number => {
  const [from, to] = [Date.parse(starts_at), Date.parse(ends_at)]
  return Math.min(1, Math.max(0, (now - from) / Math.max(1, to - from)))
}

/** In which week of a term a moment lies; null outside the term. Days are `YYYY-MM-DD`. */
export function weekOf(
  term: { start_date: string; end_date: string },
  now: number,
): { week: number; weeks: number } | null {
  const [from, to] = [Date.parse(term.start_date), Date.parse(term.end_date) + DAY]
  if (now < from || now >= to) return null
  return { week: Math.floor((now - from) / (7 * DAY)) + 1, weeks: Math.ceil((to - from) / (7 * DAY)) }
}

interface Window<R> {
  readonly id: number
  readonly stage_code: R
  readonly stage_group: R | null
  readonly term: R
  readonly starts_at: string
  readonly ends_at: string
}
/** Windows of one kind, term and time are one line, for all their groups; `groups` is empty where all students are meant. */
export function joinWindows<R extends { id: number }>(windows: readonly Window<R>[]) {
  const lines = Map.groupBy(windows, (w) => `${w.stage_code.id} ${w.term.id} ${w.starts_at} ${w.ends_at}`)
  return [...lines.values()].map((same) => {
    const { stage_code, term, starts_at, ends_at } = same[0]!
    const groups = same.map((w) => w.stage_group).filter((g) => g !== null)
    return {
      ids: same.map((w) => w.id),
      stage_code,
      term,
      starts_at,
      ends_at,
      groups: groups.length < same.length ? [] : groups,
    }
  })
}
