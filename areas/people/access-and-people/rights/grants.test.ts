import { expect, test } from 'vitest'
import { internGrants } from '#access/rights.server.ts'
import { grantDifferenceOf, grantsOf, notTheirs, wrongDays } from './grants.rules.ts'
import type { Grant, Within } from './grants.rules.ts'

const grant = (permission: string, more: Partial<Grant> = {}): Grant => ({
  permission,
  reach: 'scope',
  scope: null,
  valid_from: null,
  valid_to: null,
  ...more,
})
/** Program 7 lies in faculty 1. */
const within: Within = (place) =>
  place.type === 'program' && place.id === 7 ? [place, { type: 'faculty', id: 1 }] : [place]
const faculty = { type: 'faculty', id: 1 } as const
const program = { type: 'program', id: 7 } as const

test.each([
  ['the same', grant('a'), grant('a'), 0, 0],
  ['nothing to something', null, grant('a'), 1, 0],
  ['something to nothing', grant('a'), null, 0, 1],
  ['less far', grant('a'), grant('a', { scope: faculty }), 0, 1],
  ['into what lies in it', grant('a', { scope: faculty }), grant('a', { scope: program }), 0, 1],
  ['from a part to what it lies in', grant('a', { scope: program }), grant('a', { scope: faculty }), 1, 0],
  ['to another part', grant('a', { scope: faculty }), grant('a', { scope: { type: 'faculty', id: 2 } }), 1, 1],
  ['bound to what one teaches, then everywhere', grant('a', { reach: 'taught' }), grant('a'), 1, 0],
  ['everywhere, then bound to what one teaches', grant('a'), grant('a', { reach: 'taught' }), 0, 1],
  ['for longer', grant('a', { valid_to: '2026-01-31' }), grant('a', { valid_to: '2026-02-28' }), 1, 0],
  ['from earlier on', grant('a', { valid_from: '2026-01-31' }), grant('a', { valid_from: '2026-01-01' }), 1, 0],
  ['for a time instead of always', grant('a'), grant('a', { valid_to: '2026-02-28' }), 0, 1],
] as const)('what a change gives and takes: %s', (_name, before, after, gained, lost) => {
  const list = (one: Grant | null) => (one ? [one] : [])
  const difference = grantDifferenceOf(list(before), list(after), within)
  expect([difference.gained.length, difference.lost.length]).toEqual([gained, lost])
})

test('what is held by another way as well is neither gained nor lost, and the same by two ways is one', () => {
  const role = [grant('a', { scope: faculty }), grant('b', { scope: faculty })]
  expect(grantDifferenceOf(role, [grant('a'), grant('b')], within).lost).toEqual([])
  expect(grantDifferenceOf([], [...role, ...role], within).gained).toHaveLength(2)
})

test.each([
  ['held', {}, 0],
  ['not held yet', { valid_from: '2026-03-02' }, 1],
  ['held no more', { valid_to: '2026-02-28' }, 1],
  ['held since yesterday, given for longer ago', { valid_from: '2026-02-28' }, 0],
] as const)('what can be given is held on the day: %s', (_name, mine, lacking) => {
  const giver = { id: 1, everything: false, grants: [grant('a', mine)] }
  const given = [grant('a', { valid_from: '2026-01-01', valid_to: '2026-02-01' })]
  expect(notTheirs(giver, given, within, '2026-03-01')).toHaveLength(lacking)
  expect(notTheirs({ ...giver, everything: true }, given, within, '2026-03-01')).toEqual([])
})

test('a role’s rights reach as far as the role is given, but for those bound to the person', () => {
  const rights = new Map([
    [
      5,
      [
        { permission: 'access_students', reach: 'scope' as const },
        { permission: 'show_students', reach: 'taught' as const },
      ],
    ],
  ])
  expect(
    grantsOf(
      {
        roles: [{ role_id: 5, scope: faculty, valid_from: null, valid_to: '2026-02-28' }],
        access_entries: [{ permission: 'show_course', scope: program, valid_from: null, valid_to: null }],
        permissions: ['access_logs'],
      },
      rights,
    ),
  ).toEqual([
    grant('access_students', { scope: faculty, valid_to: '2026-02-28' }),
    grant('show_students', { reach: 'taught', valid_to: '2026-02-28' }),
    grant('show_course', { scope: program }),
    grant('access_logs'),
  ])
})

test('the rights of somebody with five roles and fifty entries are known from what is kept within a tenth of a millisecond', () => {
  const lines = [
    ...Array.from({ length: 5 }, (_, r) =>
      Array.from({ length: 120 }, (_, i) => `${i % 2 ? 'show' : 'access'}_students scope faculty ${r * 120 + i + 1}`),
    ).flat(),
    ...Array.from({ length: 50 }, (_, i) => `show_mark scope program ${i + 1}`),
  ].join('\n')
  const first = internGrants(lines)
  const begin = performance.now()
  for (let i = 0; i < 1000; i++) expect(internGrants(lines)).toBe(first)
  expect((performance.now() - begin) / 1000).toBeLessThan(0.4)
})

test.each([
  [null, null, null],
  ['2026-12-01', '2026-11-01', 'access_backwards'],
  ['2026-10-01', '2026-11-01', 'access_over'],
  [null, '2026-11-30', null],
] as const)('days of a right from %s to %s: %s', (valid_from, valid_to, wrong) => {
  expect(wrongDays({ valid_from, valid_to }, '2026-11-30')).toBe(wrong)
})
