import { describe, expect, test } from 'vitest'
import { checkRemoval, checkSuccession } from './role.rules.ts'

const free = { key: 'helper', holders: 0, groups: [], folders: 0 }
const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

describe('a role is removed', () => {
  test('where nothing hangs on it', () => expect(checkRemoval(free)).toEqual([]))

  test('all that hangs on it is told, of groups the first five and how many there are', () => {
    expect(checkRemoval({ ...free, holders: 2, groups: ['a', 'b', 'c', 'd', 'e', 'f'], folders: 3 })).toEqual([
      { field: null, code: 'role_held', data: { count: 2 } },
      { field: null, code: 'role_of_groups', data: { groups: 'a, b, c, d, e', count: 6 } },
      { field: null, code: 'role_of_folders', data: { count: 3 } },
    ])
  })

  test.each(['root', 'super_admin', 'student', 'applicant', 'instructor', 'academic_advisor'])(
    'never %s, which the program asks for, even where nobody holds it',
    (key) => expect(codes(checkRemoval({ ...free, key }))).toEqual(['role_needed']),
  )
})

describe('a role gives its place to another', () => {
  const other = { id: 2, key: 'clerk' }
  test.each([
    ['people hold it', { ...free, holders: 1 }],
    ['a group is given it', { ...free, groups: ['a'] }],
    ['folders are open to it', { ...free, folders: 1 }],
  ])('where %s', (_, role) => expect(checkSuccession(role, other, 1)).toEqual([]))

  test('not where nothing hangs on it, nor to itself: both are told', () => {
    expect(codes(checkSuccession(free, { id: 1, key: 'helper' }, 1))).toEqual(['role_itself', 'role_not_held'])
  })

  test.each(['root', 'super_admin', 'student', 'applicant'])('not to %s, which nobody is given', (key) =>
    expect(codes(checkSuccession({ ...free, holders: 1 }, { id: 2, key }, 1))).toEqual(['role_no_successor']),
  )

  test('teachers and advisors may follow, but are never followed', () => {
    expect(checkSuccession({ ...free, holders: 1 }, { id: 2, key: 'instructor' }, 1)).toEqual([])
    expect(codes(checkSuccession({ ...free, key: 'instructor', holders: 1 }, other, 1))).toEqual(['role_needed'])
  })

  test('not to one that is unknown', () =>
    expect(checkSuccession({ ...free, holders: 1 }, null, 1)).toEqual([{ field: 'role_id', code: 'role_unknown' }]))
})
