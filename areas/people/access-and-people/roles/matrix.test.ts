import { expect, test } from 'vitest'
import { PERMISSION_KEYS } from '#access/permissions.contract.ts'
import { seededRights } from '#access/roles.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'
import { departureOf, keysOfRow, matrixOfRights, nextReach, reachesOf } from './matrix.rules.ts'

test('every right of the program stands in the matrix once', () => {
  const shown = matrixOfRights().flatMap(({ rows }) => rows.flatMap(keysOfRow))
  expect(shown.toSorted()).toEqual(PERMISSION_KEYS.toSorted())
})

test('a kind of record has a row with its actions, and rights about it stand at its end', () => {
  const rows = matrixOfRights().flatMap((area) => area.rows)
  const role = rows.find(({ subject }) => subject === 'role')!
  expect(role.cells).toMatchObject({ access: 'access_role', edit: 'edit_role', import: 'import_role' })
  const requests = rows.filter(({ others }) => others.some((key) => key.startsWith('decide_')))
  expect(requests.length).toBeGreaterThan(0)
  expect(requests[0]!.cells.add).toBe(`add_${requests[0]!.subject}`)
  const alone = rows.filter(({ label }) => label === null)
  expect(alone.every(({ cells }) => !Object.keys(cells).length)).toBe(true)
})

test('one press goes through the reaches that a right knows, and back to not given', () => {
  expect([nextReach('edit_role', undefined), nextReach('edit_role', 'scope')]).toEqual(['scope', undefined])
  for (const key of PERMISSION_KEYS) {
    const seen: (Reach | undefined)[] = []
    let now: Reach | undefined
    do {
      now = nextReach(key, now)
      seen.push(now)
    } while (now !== undefined && seen.length < 9)
    expect(seen).toEqual([...reachesOf(key, undefined), undefined])
  }
  // A reach that the right no longer knows is among them while it stands there.
  expect(reachesOf('edit_role', 'taught')).toEqual(['scope', 'taught'])
  expect(nextReach('edit_role', 'taught')).toBe(undefined)
})

test('roles of the program are known by their keys, and others are compared with nothing', () => {
  expect(seededRights('registrar')!.get('edit_course')).toBe('scope')
  expect([seededRights('our_own_desk'), seededRights(undefined)]).toEqual([null, null])
})

test('what differs from the role of the program is told apart', () => {
  const seeded = new Map<string, Reach>([
    ['a', 'scope'],
    ['b', 'own'],
    ['c', 'scope'],
  ])
  const now = new Map<string, Reach>([
    ['b', 'scope'],
    ['c', 'scope'],
    ['d', 'own'],
  ])
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => departureOf(key, now, seeded))).toEqual([
    'taken',
    'reach',
    null,
    'added',
    null,
  ])
  expect(departureOf('d', now, null)).toBe(null)
})
