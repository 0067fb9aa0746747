/** What may be promised, and what became of it. Pure. */
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { moneyText } from '#kit/contract/money.ts'

/** So many days ahead somebody may promise at most: longer is a plan. */
export const PROMISE_DAYS = 60

/** Every reason why a promise is not noted. */
export function checkPromise(of: {
  readonly amount: number
  readonly promised_on: string
  readonly today: string
  /** What is open of what it is for. */
  readonly open: number
  readonly currency: string
}): Reason[] {
  const last = addDays(of.today, PROMISE_DAYS)
  return [
    ...(of.open <= 0 ? [{ code: 'promise_nothing_open' }] : []),
    ...(of.open > 0 && of.amount > of.open
      ? [{ field: 'amount', code: 'promise_most', data: { most: moneyText(of.open, of.currency) } }]
      : []),
    ...(of.promised_on < of.today
      ? [{ field: 'promised_on', code: 'promise_day_over', data: { day: of.promised_on, today: of.today } }]
      : []),
    ...(of.promised_on > last ? [{ field: 'promised_on', code: 'promise_day_far', data: { day: last } }] : []),
  ]
}

/**
 * What becomes of a promise by itself: kept once so much came since, or nothing is owed any more; broken when its day is over,
 * but not while a payment for it is under way. null: it stands.
 */
export function promiseOutcome(of: {
  readonly amount: number
  readonly promised_on: string
  readonly today: string
  readonly settled_before: number
  readonly settled: number
  readonly open: number
  readonly under_way: boolean
}): 'kept' | 'broken' | null {
  if (of.settled - of.settled_before >= of.amount || of.open <= 0) return 'kept'
  return of.promised_on < of.today && !of.under_way ? 'broken' : null
}
