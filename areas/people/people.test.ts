import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/catalogue/catalogue.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { TestUniversity } from '#tests/university.ts'
import { peopleServer } from './people.server.ts'

let u: TestUniversity
const id = { engineering: 0, commerce: 0, department: 0 }
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await u.database.pool.query<{ id: number }>(text, values)).rows[0]!.id

beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer])
  const faculty = `insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`
  id.engineering = await one(faculty, ['ENG'])
  id.commerce = await one(faculty, ['COM'])
  id.department = await one(
    `insert into departments (faculty_id, code, name, name_local) values ($1, 'CSC', 'Computing', 'الحاسبات') returning id`,
    [id.engineering],
  )
})
afterAll(() => u.close())

test('an instructor belongs to a department of the own faculty', async () => {
  const admin = await u.as('admin')
  const person = { code: 'I1', name: 'Mona Adel', name_local: 'منى عادل', department_id: id.department }
  expect(reasons(await admin('PUT', '/instructors', { ...person, faculty_id: id.commerce }))).toEqual([
    'department_of_other_faculty@department_id',
  ])
  const made = ok(await admin('PUT', '/instructors', { ...person, faculty_id: id.engineering }))
  expect(reasons(await admin('PUT', `/instructors/${made.id}`, { faculty_id: id.commerce }))).toEqual([
    'department_of_other_faculty@department_id',
  ])
})

test('nobody removes the own account, or somebody with more rights', async () => {
  const admin = await u.as('admin')
  const own = await admin('DELETE', `/employees/${admin.user_id}`)
  expect([own.status, own.body.message]).toEqual([409, 'cannot_remove_yourself'])
  const clerk = await u.as(null)
  await u.database.pool.query(
    `insert into user_permissions (user_id, permission) values ($1, 'show_employee'), ($1, 'edit_employee'), ($1, 'remove_employee')`,
    [clerk.user_id],
  )
  const removing = await clerk('DELETE', `/employees/${admin.user_id}`)
  expect([removing.status, removing.body.message]).toEqual([403, 'person_has_more_rights'])
  expect(reasons(await clerk('PUT', `/employees/${admin.user_id}`, { email: 'mine@example.edu' }))).toEqual([
    'person_has_more_rights',
  ])
})
