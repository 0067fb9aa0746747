import { expect, test } from 'vitest'
import { attainmentTrend, checkSeen, isAttained } from './attainment.rules.ts'

const of = (share: number, students = 20) => ({ students, mean: share, share })
test.each([
  [of(70), 70, true],
  [of(69.99), 70, false],
  [of(100, 0), 70, null],
  [null, 70, null],
] as const)('%j against %i', (measured, target, expected) => expect(isAttained(measured, target)).toBe(expected))

test.each([
  [[], null],
  [[of(50)], null],
  [[of(50), null, of(52)], 'up'],
  [[of(50), of(51.9)], 'same'],
  [[of(50), of(48)], 'down'],
  [[of(90), of(50), of(60)], 'up'],
  [[of(50), of(90, 0)], null],
] as const)('the trend of %j', (years, expected) => expect(attainmentTrend(years)).toBe(expected))

test('it is closed once it was seen again', () => {
  expect(checkSeen({ seen: null })).toEqual([{ code: 'finding_not_seen_yet' }])
  expect(checkSeen({ seen: { year_id: 2, share: 50 } })).toEqual([])
})
