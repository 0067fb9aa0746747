import { afterEach, expect, test } from 'vitest'
import { setZone } from '#kit/contract/day.ts'
import { momentIn } from './moment.ts'

afterEach(() => setZone(null))

test('a mail tells a moment by the university’s clock, to the minute', () => {
  setZone('Africa/Cairo')
  expect(momentIn('2026-12-07T18:33:03.642Z', 'en')).toContain('20:33')
  expect(momentIn('2026-12-07T18:33:03.642Z', 'en')).not.toMatch(/UTC|:03/)
  // Summer time, and a day later than in UTC.
  expect(momentIn('2026-07-01T21:30:00Z', 'de')).toMatch(/^2\. Juli 2026 .*00:30$/)
})
