import { afterEach, expect, test } from 'vitest'
import { setZone } from '#kit/contract/day.ts'
import { instantIn } from './instant.ts'

afterEach(() => setZone(null))

test('an instant is told by the university’s clock, which may have another day than UTC', () => {
  setZone('Africa/Cairo')
  expect(instantIn('2026-12-07T22:30:03.642Z', 'en')).toBe('8 Dec 2026, 00:30')
  expect(instantIn('2026-12-07T22:30:00Z', 'ar')).toContain('00:30')
  setZone('America/New_York')
  expect(instantIn('2026-12-07T22:30:00Z', 'en')).toBe('7 Dec 2026, 17:30')
})
