import { expect, test } from 'vitest'
import { compareTrees, sameTree } from './compare.rules.ts'
import type { Requirement } from './tree.rules.ts'

const named = (key: string) => ({ key, name: key, name_local: key })
const hand = (key: string, of: object = {}): Requirement => ({ ...named(key), kind: 'hand', ...of })
const all = (key: string, ...parts: Requirement[]): Requirement => ({ ...named(key), kind: 'all', parts })
const told = (before: Requirement | null, after: Requirement | null) =>
  compareTrees(before, after).map(
    ({ key, kind, moved, fields }) =>
      `${kind} ${key}${moved ? ' moved' : ''}${fields.map(({ field }) => ` ${field}`).join('')}`,
  )

test.each<[string, Requirement | null, Requirement | null, string[]]>([
  ['nothing and nothing', null, null, []],
  ['a first tree', null, all('r', hand('a')), ['added r', 'added a']],
  ['a tree that goes', all('r', hand('a')), null, ['removed r', 'removed a']],
  ['the same', all('r', hand('a'), hand('b')), all('r', hand('a'), hand('b')), []],
  ['one more', all('r', hand('a')), all('r', hand('a'), hand('b')), ['added b']],
  [
    'one between: those beside it stay',
    all('r', hand('a'), hand('b')),
    all('r', hand('a'), hand('x'), hand('b')),
    ['added x'],
  ],
  ['one less', all('r', hand('a'), hand('b')), all('r', hand('b')), ['removed a']],
  ['other words', all('r', hand('a')), all('r', hand('a', { note: 'Ask' })), ['changed a note']],
  ['a word that goes', all('r', hand('a', { note: 'Ask' })), all('r', hand('a')), ['changed a note']],
  [
    'another order',
    all('r', hand('a'), hand('b')),
    all('r', hand('b'), hand('a')),
    ['changed b moved', 'changed a moved'],
  ],
  [
    'into another requirement, and changed',
    all('r', all('p', hand('a')), all('q')),
    all('r', all('p'), all('q', hand('a', { optional: true }))),
    ['changed a moved optional'],
  ],
  ['what was removed comes last', all('r', hand('a')), all('r', hand('b')), ['added b', 'removed a']],
])('%s', (_, before, after, differences) => {
  expect(told(before, after)).toEqual(differences)
})

test('values before and after are told, nothing as null', () => {
  const [change] = compareTrees(hand('a', { by_semester: 4 }), hand('a', { optional: true }))
  expect(change?.fields).toEqual([
    { field: 'by_semester', before: 4, after: null },
    { field: 'optional', before: null, after: true },
  ])
})

test('the order of keys says nothing, that of parts does', () => {
  const a = { kind: 'hand', name: 'a', name_local: 'a', key: 'a' } as Requirement
  expect(sameTree(a, hand('a'))).toBe(true)
  expect(sameTree(all('r', hand('a'), hand('b')), all('r', hand('b'), hand('a')))).toBe(false)
  expect(sameTree(null, hand('a'))).toBe(false)
})
