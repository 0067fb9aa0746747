import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { setZone } from '#kit/contract/day.ts'
import { REGISTERED_STATES, daysLeft, joinWindows, progressOf, weekOf } from './overview.rules.ts'

// Instants are written here without a zone.
beforeAll(() => setZone(null))

const local = (text: string) => new Date(text).getTime()

test('days are counted by the calendar, not by hours', () => {
  expect(daysLeft('2026-11-21T23:59:59', local('2026-11-21T08:00:00'))).toBe(0)
  expect(daysLeft('2026-11-22T00:30:00', local('2026-11-21T23:50:00'))).toBe(1)
  expect(daysLeft('2026-12-12T21:59:59', local('2026-11-21T08:00:00'))).toBe(21)
  expect(daysLeft('2026-11-01T00:00:00', local('2026-11-21T08:00:00'))).toBe(0)
})

test('a week of the term, none outside it', () => {
  const term = { start_date: '2026-11-14', end_date: '2027-03-12' }
  expect(weekOf(term, Date.parse('2026-11-14T00:00:00Z'))).toEqual({ week: 1, weeks: 17 })
  expect(weekOf(term, Date.parse('2026-11-21T08:00:00Z'))).toEqual({ week: 2, weeks: 17 })
  expect(weekOf(term, Date.parse('2027-03-12T23:00:00Z'))?.week).toBe(17)
  expect(weekOf(term, Date.parse('2027-03-13T00:00:00Z'))).toBeNull()
  expect(weekOf(term, Date.parse('2026-11-13T23:59:00Z'))).toBeNull()
})

test('progress of a window lies between nothing and all', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2e12 }),
      fc.integer({ min: 1, max: 1e10 }),
      fc.integer({ min: 0, max: 2e12 }),
      (from, length, now) => {
        const part = progressOf(
          { starts_at: new Date(from).toISOString(), ends_at: new Date(from + length).toISOString() },
          now,
        )
        expect(part >= 0 && part <= 1).toBe(true)
      },
    ),
  ))

test('windows at the same time are one line; one for all students swallows the groups', () => {
  const named = (id: number) => ({ id, name: `${id}` })
  const window = (id: number, group: number | null, ends_at = 'b') => ({
    id,
    stage_code: named(1),
    term: named(1),
    stage_group: group === null ? null : named(group),
    starts_at: 'a',
    ends_at,
  })
  expect(
    joinWindows([window(1, 5), window(2, 6), window(3, 5, 'c')]).map((w) => [w.ids, w.groups.map((g) => g.id)]),
  ).toEqual([
    [
      [1, 2],
      [5, 6],
    ],
    [[3], [5]],
  ])
  expect(joinWindows([window(1, 5), window(2, null)])[0]!.groups).toEqual([])
})

test('registered is not asking to come, and not gone', () => {
  expect(REGISTERED_STATES).toContain('Registered')
  expect(REGISTERED_STATES).toContain('DropRequest')
  for (const main of ['RegisterRequest', 'AddRequest', 'Dropped', 'Withdrawn', 'Excused'])
    expect(REGISTERED_STATES).not.toContain(main)
})
