import { expect, test } from 'vitest'
import { BULK, BULK_MAX, bulkIn, referencesIn, withNamedIds } from './bulk.rules.ts'
import { ScimError } from './resource.rules.ts'

const bulk = (...Operations: unknown[]) => ({ schemas: [BULK], Operations })
const made = (bulkId: string, more: object = {}) => ({ method: 'POST', path: '/Users', bulkId, data: {}, ...more })

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a list', []],
  ['no schema', { Operations: [made('a')] }],
  ['another schema', { schemas: ['urn:x'], Operations: [made('a')] }],
  ['no operations', bulk()],
  ['operations that are no list', { schemas: [BULK], Operations: made('a') }],
  ['a share of errors', { ...bulk(made('a')), failOnErrors: 0.5 }],
  ['errors in words', { ...bulk(made('a')), failOnErrors: '1' }],
  ['less than none', { ...bulk(made('a')), failOnErrors: -1 }],
])('%s is no request', (_, sent) => {
  expect(() => bulkIn(sent)).toThrow(ScimError)
})

test('names of members and methods are read however they are written', () => {
  const { operations, failOnErrors } = bulkIn({
    SCHEMAS: [BULK],
    operations: [{ METHOD: 'patch', Path: '/groups/7', version: 'W/"3"', data: { a: 1 } }],
    failonerrors: 2,
  })
  expect(failOnErrors).toBe(2)
  expect(operations).toEqual([
    { method: 'PATCH', resource: 'Groups', target: '7', bulkId: null, version: 'W/"3"', data: { a: 1 } },
  ])
})

test('without a limit all of them are done', () => {
  expect(bulkIn(bulk(made('a'))).failOnErrors).toBe(Infinity)
  expect(bulkIn({ ...bulk(made('a')), failOnErrors: 0 }).failOnErrors).toBe(Infinity)
})

test('one more than are taken is told as too many', () => {
  const many = (n: number) => bulkIn(bulk(...Array.from({ length: n }, (_, i) => made(`u${i}`))))
  expect(many(BULK_MAX.operations)).toMatchObject({ tooMany: false })
  expect(many(BULK_MAX.operations + 1)).toMatchObject({ tooMany: true, operations: [] })
})

test.each<[string, unknown, string | null]>([
  ['what is made', made('a'), null],
  ['what is made without a name', { method: 'POST', path: '/Users', data: {} }, 'invalidSyntax'],
  ['what is made at an id', made('a', { path: '/Users/1' }), 'invalidPath'],
  ['a change without an id', { method: 'PUT', path: '/Users' }, 'invalidPath'],
  ['a place that there is not', { method: 'DELETE', path: '/Roles/1' }, 'invalidPath'],
  ['an address with a question', { method: 'DELETE', path: '/Users/1?x=1' }, 'invalidPath'],
  ['reading', { method: 'GET', path: '/Users/1' }, 'invalidSyntax'],
  ['a text', 'DELETE /Users/1', 'invalidSyntax'],
  ['what goes', { method: 'DELETE', path: '/users/1' }, null],
])('%s', (_, one, type) => {
  const [asked] = bulkIn(bulk(one)).operations
  expect(asked && 'wrong' in asked ? asked.wrong.type : null).toBe(type)
})

test('a name is given once', () => {
  const [first, second] = bulkIn(bulk(made('a'), made('a'))).operations
  expect([first && 'wrong' in first, second && 'wrong' in second]).toEqual([false, true])
})

test('references are found and filled wherever they stand', () => {
  const data = {
    members: [{ value: 'bulkId:a' }, { value: 'BULKID:b' }, { value: 'bulk' }],
    path: 'members[value eq "bulkId:c"].display',
    count: 3,
  }
  expect(referencesIn({ target: 'bulkId:d', data })).toEqual(['d', 'a', 'b', 'c'])
  const ids = new Map([
    ['a', '1'],
    ['b', '2'],
    ['c', '3"'],
  ])
  expect(withNamedIds(data, ids)).toEqual({
    members: [{ value: '1' }, { value: '2' }, { value: 'bulk' }],
    path: 'members[value eq "3\\""].display',
    count: 3,
  })
  // What this request did not make stays, and is refused as it stands.
  expect(withNamedIds('bulkId:z', ids)).toBe('bulkId:z')
})
