import { describe, expect, test } from 'vitest'
import { BULK, BULK_MAX, bulkIn, referencesIn, withNamedIds } from './bulk.rules.ts'

const ask = (...Operations: unknown[]) => bulkIn({ schemas: [BULK], Operations }).operations
const wrongOf = (...operations: unknown[]) =>
  ask(...operations).map((one) => ('wrong' in one ? one.wrong.message : `${one.method} ${one.resource}`))

describe('many changes in one request', () => {
  test.each([
    ['nothing', undefined],
    ['a list', []],
    ['no operations', { schemas: [BULK], Operations: [] }],
    ['another schema', { schemas: ['urn:other'], Operations: [{}] }],
    ['schemas that are no list', { schemas: BULK, Operations: [{}] }],
  ])('%s is not understood', (_, sent) => expect(() => bulkIn(sent)).toThrow(/Operations of/))

  test.each([-1, 1.5, '2', true])('failOnErrors %s is no number of errors', (failOnErrors) =>
    expect(() => bulkIn({ schemas: [BULK], Operations: [{}], failOnErrors })).toThrow(/whole number/),
  )

  test('without failOnErrors, or with 0, all is tried; members are found however they are written', () => {
    const sent = { SCHEMAS: [BULK], operations: [{ METHOD: 'delete', Path: '/users/7' }] }
    expect(bulkIn(sent)).toMatchObject({
      failOnErrors: Infinity,
      operations: [{ method: 'DELETE', resource: 'Users', target: '7', bulkId: null, version: null }],
    })
    expect(bulkIn({ ...sent, failOnErrors: 0 }).failOnErrors).toBe(Infinity)
    expect(bulkIn({ ...sent, failOnErrors: 3 }).failOnErrors).toBe(3)
  })

  test('more than are taken are not looked at', () => {
    const many = (n: number) =>
      bulkIn({ schemas: [BULK], Operations: Array.from({ length: n }, () => ({ method: 'DELETE', path: '/Users/1' })) })
    expect(many(BULK_MAX.operations)).toMatchObject({ tooMany: false })
    expect(many(BULK_MAX.operations + 1)).toMatchObject({ tooMany: true, operations: [] })
  })

  test('each is understood by itself', () => {
    expect(
      wrongOf(
        { method: 'POST', path: '/Users', bulkId: 'a' },
        { method: 'GET', path: '/Users/1' },
        'nonsense',
        { method: 'POST', path: '/Users/1', bulkId: 'b' },
        { method: 'PUT', path: '/Groups' },
        { method: 'PUT', path: '/Schemas/1' },
        { method: 'PATCH', path: '/Users/1?x=1' },
        { method: 'POST', path: '/Groups' },
        { method: 'POST', path: '/Groups', bulkId: 'a' },
        { method: 'PATCH', path: '/Groups/bulkId:a', bulkId: 'a' },
      ),
    ).toEqual([
      'POST Users',
      'method is POST, PUT, PATCH or DELETE',
      'method is POST, PUT, PATCH or DELETE',
      'path is that of a User or a Group',
      'path is that of a User or a Group',
      'path is that of a User or a Group',
      'path is that of a User or a Group',
      'what is made has a bulkId',
      'the bulkId a is given twice',
      'PATCH Groups',
    ])
  })
})

describe('what the same request makes', () => {
  const data = {
    members: [{ value: 'bulkId:a' }, { value: '7' }],
    Operations: [{ path: 'members[value eq "bulkId:b"]', value: ['bulkId:a', 3, null] }],
  }
  test('is named in the target, in values and in conditions, each once', () => {
    expect(referencesIn({ target: 'bulkId:c', data })).toEqual(['c', 'a', 'b'])
    expect(referencesIn({ target: '7', data: 'not a bulkId:a' })).toEqual([])
  })

  test('gets its id in place of the name; what is not made stays as it is', () => {
    expect(withNamedIds(data, new Map([['a', '41']]))).toEqual({
      members: [{ value: '41' }, { value: '7' }],
      Operations: [{ path: 'members[value eq "bulkId:b"]', value: ['41', 3, null] }],
    })
    expect(withNamedIds('members[value eq "bulkId:b"]', new Map([['b', '9"']]))).toBe('members[value eq "9\\""]')
  })
})
