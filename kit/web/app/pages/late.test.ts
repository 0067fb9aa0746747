import { afterAll, beforeAll, expect, it } from 'vitest'
import { setZone } from '#kit/contract/day.ts'
import { daysLate, daysLeft } from './late.ts'

beforeAll(() => setZone('Africa/Cairo'))
afterAll(() => setZone(null))

const at = (text: string) => Date.parse(text)

it('what was due is late by days of the university, never a number of days left below nothing', () => {
  // Cairo is two hours ahead in winter: 21:59 there is 23:59.
  expect(daysLate('2026-11-23T21:59:00Z', at('2026-11-30T12:00:00Z'))).toBe(7)
  expect(daysLate('2026-11-29T21:59:00Z', at('2026-11-29T22:30:00Z'))).toBe(1)
  expect(daysLate('2026-11-30T08:00:00Z', at('2026-11-30T12:00:00Z'))).toBe(0)
  expect(daysLate('2026-11-30T21:59:00Z', at('2026-11-30T21:58:00Z'))).toBeNull()
})

it('days that are left are those of the calendar, whatever the hour', () => {
  expect(daysLeft('2026-12-07T21:59:00Z', at('2026-11-30T21:45:00Z'))).toBe(7)
  expect(daysLeft('2026-12-11T21:59:00Z', at('2026-11-30T06:00:00Z'))).toBe(11)
  expect(daysLeft('2026-11-30T21:59:00Z', at('2026-11-30T06:00:00Z'))).toBe(0)
  expect(daysLeft('2026-12-01T08:00:00Z', at('2026-11-30T21:45:00Z'))).toBe(1)
})
