import { expect, test } from 'vitest'
import { checkUntil } from './held.rules.ts'

test.each([
  [null, []],
  ['2026-03-01', []],
  ['2026-03-02', []],
  ['2026-02-28', ['hold_override_past']],
])('on 1 March a hold is set aside until %s', (until, codes) => {
  expect(checkUntil(until, '2026-03-01').map(({ code }) => code)).toEqual(codes)
})
