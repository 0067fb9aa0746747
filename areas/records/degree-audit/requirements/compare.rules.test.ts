import { describe, expect, test } from 'vitest'
import { compareTrees, sameTree } from './compare.rules.ts'
import type { Requirement } from './tree.rules.ts'

const leaf = (key: string, more: object = {}): Requirement =>
  ({ kind: 'courses', key, name: key, name_local: `${key} ع`, unit: 'hours', min: 3, from: [], ...more }) as Requirement
const all = (key: string, ...parts: Requirement[]): Requirement =>
  ({ kind: 'all', key, name: key, name_local: `${key} ع`, parts }) as Requirement
const told = (before: Requirement | null, after: Requirement | null) =>
  compareTrees(before, after).map(({ key, kind, moved, fields }) =>
    [key, kind, ...(moved ? ['moved'] : []), ...fields.map(({ field }) => field)].join(' '),
  )

describe('two trees of requirements', () => {
  const tree = all('root', leaf('a'), leaf('b'), leaf('c'))

  test('that say the same differ in nothing, in whatever order keys were written', () => {
    const { kind, key, name, name_local, ...rest } = leaf('a')
    const other = { ...rest, name_local, name, key, kind } as Requirement
    expect(sameTree(leaf('a'), other)).toBe(true)
    expect(told(all('root', leaf('a')), all('root', other))).toEqual([])
    expect(sameTree(tree, all('root', leaf('b'), leaf('a'), leaf('c')))).toBe(false)
    expect([sameTree(null, null), sameTree(null, tree)]).toEqual([true, false])
  })

  test('fields that changed are told with both values; what is missing is null', () => {
    expect(compareTrees(all('root', leaf('a')), all('root', leaf('a', { min: 6, note: 'New' })))).toEqual([
      {
        key: 'a',
        name: 'a',
        name_local: 'a ع',
        kind: 'changed',
        moved: false,
        fields: [
          { field: 'min', before: 3, after: 6 },
          { field: 'note', before: null, after: 'New' },
        ],
      },
    ])
  })

  test.each<[string, Requirement | null, string[]]>([
    ['one more, which moves nobody', all('root', leaf('a'), leaf('x'), leaf('b'), leaf('c')), ['x added']],
    ['one less, which moves nobody', all('root', leaf('b'), leaf('c')), ['a removed']],
    ['two that changed places', all('root', leaf('b'), leaf('a'), leaf('c')), ['b changed moved', 'a changed moved']],
    [
      'one that stands in another now: those beside it did not move',
      all('root', all('new', leaf('b')), leaf('a'), leaf('c')),
      ['new added', 'b changed moved'],
    ],
    ['nothing left', null, ['root removed', 'a removed', 'b removed', 'c removed']],
  ])('%s', (_, after, expected) => expect(told(tree, after)).toEqual(expected))

  test('a first tree is all new, from above', () =>
    expect(told(null, all('root', leaf('a')))).toEqual(['root added', 'a added']))
})
