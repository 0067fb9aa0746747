import { afterEach, expect, test } from 'vitest'
import { setZone } from '#kit/contract/day.ts'
import { daysBetweenTerms, shifted } from './shift.rules.ts'

afterEach(() => setZone(null))

test('stages keep their weekday from term to term', () => {
  expect(daysBetweenTerms({ start_date: '2026-02-07' }, { start_date: '2027-02-06' })).toBe(364)
  expect(daysBetweenTerms({ start_date: '2026-02-07' }, { start_date: '2027-02-08' })).toBe(364)
})

test('stages keep their hour across a change of the clock', () => {
  setZone('Africa/Cairo')
  // Midnight in winter is 22:00 UTC, in summer 21:00.
  expect(shifted('2026-03-08T22:00:00.000Z', 91)).toBe('2026-06-07T21:00:00.000Z')
  expect(shifted('2026-03-08T22:00:00.000Z', 364)).toBe('2027-03-07T22:00:00.000Z')
})
