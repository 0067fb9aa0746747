import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/catalogue/catalogue.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { peopleServer } from '../people.server.ts'

let u: TestUniversity
let admin: Caller
let faculty: number
beforeAll(async () => {
  u = await testUniversity([catalogueServer, accessAndPeopleServer, peopleServer])
  admin = await u.as('admin')
  faculty = ok(
    await admin('PUT', '/faculties', {
      code: 'ENG',
      short_name: 'ENG',
      name: 'Engineering',
      name_local: 'الهندسة',
    }),
  ).id
})
afterAll(() => u.close())

let serial = 0
async function teacher(): Promise<{ id: number; account: number }> {
  const made = ok(
    await admin('PUT', '/instructors', {
      code: `I${++serial}`,
      name: 'Mona Adel Abd El Rahman',
      name_local: 'منى عادل عبد الرحمن',
      faculty_id: faculty,
    }),
  )
  const { user_id } = await u.as('instructor', undefined, { type: 1 })
  await u.database.pool.query('update instructors set user_id = $1 where id = $2', [user_id, made.id])
  return { id: made.id, account: user_id }
}
const none = { given: null, father: null, grandfather: null, family: null }
const nothing = {
  ...none,
  given_local: null,
  father_local: null,
  grandfather_local: null,
  family_local: null,
  used_name: null,
  used_name_local: null,
}

test('parts make the full name, the account follows, and a used name stands beside it', async () => {
  const { id, account } = await teacher()
  const before = ok(await admin('GET', `/people/instructor/${id}/names`))
  expect(before).toMatchObject({ latin: null, arabic: null, may_change: true })
  const body = {
    ...nothing,
    version: before.version,
    given: 'Mona',
    father: 'Adel',
    family: ' Abd  El Rahman Salem ',
    used_name: 'Mona Salem',
  }
  const after = ok(await admin('PUT', `/people/instructor/${id}/names`, body))
  expect(after).toMatchObject({
    name: 'Mona Adel Abd El Rahman Salem',
    name_local: 'منى عادل عبد الرحمن',
    latin: { given: 'Mona', father: 'Adel', grandfather: null, family: 'Abd El Rahman Salem' },
    arabic: null,
  })
  const { rows } = await u.database.pool.query('select name, used_name, given_name from users where id = $1', [account])
  expect(rows).toEqual([{ name: 'Mona Adel Abd El Rahman Salem', used_name: 'Mona Salem', given_name: 'Mona' }])
  expect(reasons(await admin('PUT', `/people/instructor/${id}/names`, body))).toEqual(['changed_meanwhile'])
  const lacking = { ...nothing, version: after.version, given: 'Mona', grandfather: 'Samir', family_local: 'سالم' }
  expect(reasons(await admin('PUT', `/people/instructor/${id}/names`, lacking))).toEqual([
    'name_part_needed@father',
    'name_part_needed@given_local',
  ])
  expect(reasons(await admin('PUT', `/people/instructor/${id}/names`, { ...body, given: 'منى' }))).toEqual([
    'english_only@given',
  ])
})

test('the full name written anew takes the one part along that changed; else nothing is known any more', async () => {
  const { id } = await teacher()
  const { version } = ok(await admin('GET', `/people/instructor/${id}/names`))
  const known = { ...nothing, version, given: 'Mona', father: 'Adel', family: 'Abd El Rahman' }
  ok(await admin('PUT', `/people/instructor/${id}/names`, known))
  ok(await admin('PUT', `/instructors/${id}`, { name: 'Mouna Adel Abd El Rahman' }))
  expect(ok(await admin('GET', `/people/instructor/${id}/names`)).latin).toEqual({
    ...none,
    given: 'Mouna',
    father: 'Adel',
    family: 'Abd El Rahman',
  })
  // Whoever writes, also beside the program.
  await u.database.pool.query(`update instructors set name = 'Somebody Else' where id = $1`, [id])
  expect(ok(await admin('GET', `/people/instructor/${id}/names`)).latin).toBeNull()
})

test('are changed by who changes the record, where it is, and never of somebody with more rights', async () => {
  const { id, account } = await teacher()
  const rights = async (...keys: string[]): Promise<Caller> => {
    const { user_id } = await u.as(null)
    await u.database.pool.query('insert into user_permissions (user_id, permission) select $1, unnest($2::text[])', [
      user_id,
      keys,
    ])
    return u.signIn(user_id)
  }
  const looks = await rights('show_instructor', 'edit_employee')
  const { version, may_change } = ok(await looks('GET', `/people/instructor/${id}/names`))
  expect(may_change).toBe(false)
  const body = { ...nothing, version }
  expect((await looks('PUT', `/people/instructor/${id}/names`, body)).status).toBe(404)
  const clerk = await rights('access_users', 'edit_users')
  const own = ok(await clerk('GET', `/people/user/${admin.user_id}/names`))
  expect(
    reasons(await clerk('PUT', `/people/user/${admin.user_id}/names`, { ...nothing, version: own.version })),
  ).toEqual(['person_has_more_rights'])
  // Whose record it is, has the name.
  expect(ok(await clerk('GET', `/people/user/${account}/names`)).may_change).toBe(false)
})
