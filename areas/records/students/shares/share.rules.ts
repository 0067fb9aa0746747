/** Whether a student may let somebody see something, and for how long. */
import type { Reason } from '#kit/contract/issues.ts'

/** Days for which something is shared at most: a year of study. */
export const MOST_SHARE_DAYS = 366
/** People at a time. */
export const MOST_SHARES = 10

interface Asked {
  readonly email: string
  /** Days, as the university counts them. */
  readonly last_day: string
  readonly today: string
  /** Addresses of the student. */
  readonly own: readonly (string | null)[]
  /** Studies here, and is not blocked. */
  readonly studying: boolean
  /** Shares that are open now, and whether one of them is with this address. */
  readonly open: number
  readonly twice: boolean
}
const DAY = 86_400_000

/** Every reason why not. */
export function judgeShare({ email, last_day, today, own, studying, open, twice }: Asked): Reason[] {
  const days = (Date.parse(last_day) - Date.parse(today)) / DAY
  return [
    ...(studying ? [] : [{ code: 'share_not_studying' }]),
    ...(days < 0 ? [{ field: 'last_day', code: 'share_day_past' }] : []),
    ...(days > MOST_SHARE_DAYS ? [{ field: 'last_day', code: 'share_day_far', data: { days: MOST_SHARE_DAYS } }] : []),
    ...(own.some((one) => one?.toLowerCase() === email) ? [{ field: 'email', code: 'share_own_address' }] : []),
    ...(twice ? [{ field: 'email', code: 'share_twice' }] : []),
    ...(open >= MOST_SHARES ? [{ code: 'shares_most', data: { most: MOST_SHARES } }] : []),
  ]
}
