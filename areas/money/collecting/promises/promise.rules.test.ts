import { addDays } from '#kit/contract/day.ts'
import { expect, it } from 'vitest'
import { checkPromise, promiseOutcome, PROMISE_DAYS } from './promise.rules.ts'

const TODAY = '2026-11-28'
it('a promise is refused with every reason', () => {
  const codes = (more: object) =>
    checkPromise({ amount: 100, promised_on: TODAY, today: TODAY, open: 100, currency: 'EGP', ...more }).map(
      (one) => one.code,
    )
  expect(codes({})).toEqual([])
  expect(codes({ promised_on: addDays(TODAY, PROMISE_DAYS) })).toEqual([])
  expect(codes({ amount: 101, promised_on: addDays(TODAY, -1) })).toEqual(['promise_most', 'promise_day_over'])
  expect(codes({ promised_on: addDays(TODAY, PROMISE_DAYS + 1) })).toEqual(['promise_day_far'])
  expect(codes({ open: 0, amount: 1 })).toEqual(['promise_nothing_open'])
})
it('is kept once so much came since, broken when its day is over, and not while money is under way', () => {
  const of = (more: object) =>
    promiseOutcome({
      amount: 100,
      promised_on: addDays(TODAY, -1),
      today: TODAY,
      settled_before: 50,
      settled: 50,
      open: 300,
      under_way: false,
      ...more,
    })
  expect(of({})).toBe('broken')
  expect(of({ under_way: true })).toBeNull()
  expect(of({ promised_on: TODAY })).toBeNull()
  expect(of({ settled: 149 })).toBe('broken')
  expect(of({ settled: 150 })).toBe('kept')
  expect(of({ settled: 150, promised_on: addDays(TODAY, 9) })).toBe('kept')
  expect(of({ open: 0, settled: 60 })).toBe('kept')
})
