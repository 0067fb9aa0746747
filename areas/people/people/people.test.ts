import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { schedulingServer } from '#areas/study/scheduling/scheduling.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { TestUniversity } from '#tests/university.ts'
import { peopleServer } from './people.server.ts'

let u: TestUniversity
const id = { engineering: 0, commerce: 0, department: 0 }
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await u.database.pool.query<{ id: number }>(text, values)).rows[0]!.id

beforeAll(async () => {
  u = await testUniversity([catalogueServer, schedulingServer, peopleServer])
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

test('an instructor has a rank, a degree and an office, by which lists are narrowed; the own record is opened, that of others is not', async () => {
  const admin = await u.as('admin')
  const building = await one(
    `insert into buildings (code, name, name_local) values ('A', 'Administration', 'الإدارة') returning id`,
  )
  const office_id = await one(
    `insert into locations (building_id, code, name, name_local, capacity, location_type) values ($1, 'A-1', 'Office 1', 'مكتب 1', 3, 'room') returning id`,
    [building],
  )
  const person = {
    name: 'Omar Nabil',
    name_local: 'عمر نبيل',
    faculty_id: id.engineering,
    department_id: id.department,
    academic_title: 'lecturer',
    degree: 'doctorate',
    specialty: 'Compilers',
    specialty_local: 'المترجمات',
    office_id,
  }
  const made = ok(await admin('PUT', '/instructors', { ...person, code: 'I7' }))
  expect(made).toMatchObject({
    degree: 'doctorate',
    specialty: 'Compilers',
    office: { id: office_id, name: 'Office 1' },
  })
  const master = ok(await admin('PUT', '/instructors', { ...person, code: 'I8', degree: 'master', office_id: null }))
  const found = ok(await admin('POST', '/instructors', { filters: { degree: ['master'] } })) as { id: number }[]
  expect(found.map((row) => row.id)).toEqual([master.id])
  expect(reasons(await admin('PUT', `/instructors/${made.id}`, { degree: 'professor' }))).toEqual([
    'not_a_choice@degree',
  ])
  expect(reasons(await admin('PUT', `/instructors/${made.id}`, { office_id: 999_999 }))).toEqual([
    'reference_missing@office_id',
  ])
  const teacher = await u.as('instructor', undefined, { type: 1 })
  await u.database.pool.query('update instructors set user_id = $1 where id = $2', [teacher.user_id, made.id])
  const own = await u.signIn(teacher.user_id)
  expect(ok(await own('GET', `/instructors/${made.id}`)).office.id).toBe(office_id)
  expect((await own('GET', `/instructors/${master.id}`)).status).toBe(404)
  expect((await own('PUT', `/instructors/${made.id}`, { degree: 'master' })).status).toBe(403)
  const elsewhere = await u.as('personnel_officer', ['faculty', id.commerce])
  expect((await elsewhere('GET', `/instructors/${made.id}`)).status).toBe(404)
  expect((await elsewhere('PUT', `/instructors/${made.id}`, { degree: 'master' })).status).toBe(404)
  const near = await u.as('personnel_officer', ['department', id.department])
  expect(ok(await near('PUT', `/instructors/${made.id}`, { degree: 'master' })).degree).toBe('master')
})
