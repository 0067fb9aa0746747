import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { TestUniversity } from '#tests/university.ts'

let u: TestUniversity
let w: RegistrationWorld
const [FIRST, SECOND, THIRD] = ['01000000001', '01000000002', '01000000003'] as const

beforeAll(async () => {
  u = await testUniversity([accessAndPeopleServer, studentsServer, peopleServer, registrationServer])
  w = await registrationWorld(u)
  await w.query(
    `insert into countries (id, code, name, name_local) values (64, 'EG', 'Egypt', 'مصر') on conflict do nothing`,
  )
})
afterAll(() => u.close())

const phones = async (user_id: number) =>
  (
    await w.query<{ phone: string | null }>(
      `select phone from users where id = $1 union all (select phone from students where user_id = $1 and removed_at is null order by id)
        union all select phone from instructors where user_id = $1 and removed_at is null`,
      [user_id],
    )
  ).map(({ phone }) => phone)
/** A second record of a student's person, in another program. */
const second = async (id: number) => {
  const [row] = await w.query<{ id: number }>(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, user_id, is_second_record, status)
      select code || 'B', name, name_local, faculty_id, (select p.id from programs p where p.id <> s.program_id order by id limit 1), bylaw_id,
        user_id, true, 'studying' from students s where id = $1 returning id`,
    [id],
  )
  return row!.id
}

describe('a person has one telephone', () => {
  test('whether the student tells it, the office writes it, or the account’s is changed', async () => {
    const student = await w.student()
    ok(await student.as('PUT', '/users/profile', { phone: FIRST }))
    expect(await phones(student.user_id)).toEqual([FIRST, FIRST])
    const registrar = await u.as('registrar')
    ok(await registrar('PUT', `/students/${student.id}/contact`, { phone: SECOND }))
    expect(await phones(student.user_id)).toEqual([SECOND, SECOND])
    expect(ok(await student.as('GET', '/users/profile')).phone).toBe(SECOND)
    const admin = await u.as('admin')
    const email = `one${student.id}@university.example`
    ok(await admin('PUT', `/users/${student.user_id}`, { email, phone: THIRD }))
    expect(await phones(student.user_id)).toEqual([THIRD, THIRD])
    ok(await student.as('PUT', '/users/profile', { phone: null }))
    expect(await phones(student.user_id)).toEqual([null, null])
  })

  test('in all records: of two programs, and of who teaches', async () => {
    const student = await w.student()
    ok(await student.as('PUT', '/users/profile', { phone: FIRST }))
    await second(student.id)
    // A record that is made for an account has the number that is known.
    expect(await phones(student.user_id)).toEqual([FIRST, FIRST, FIRST])
    await w.query('update students set phone = $2 where id = $1', [student.id, SECOND])
    expect(await phones(student.user_id)).toEqual([SECOND, SECOND, SECOND])
    const teacher = await u.as('instructor', undefined, { type: 1 })
    await w.query(
      `insert into instructors (code, name, name_local, faculty_id, phone, user_id) values ('T1', 'Nabil', 'نبيل', $1, $2, $3)`,
      [w.faculty, FIRST, teacher.user_id],
    )
    expect(await phones(teacher.user_id)).toEqual([FIRST, FIRST])
    ok(await teacher('PUT', '/users/profile', { phone: '+49301234567' }))
    expect(await phones(teacher.user_id)).toEqual(['+49301234567', '+49301234567'])
  })

  test('which is written as the record asks, wherever it is changed', async () => {
    const student = await w.student()
    await w.query('update students set nationality_id = 64 where id = $1', [student.id])
    expect(reasons(await student.as('PUT', '/users/profile', { phone: '0100000' }))).toEqual(['mobile_11_digits@phone'])
    const admin = await u.as('admin')
    expect(reasons(await admin('PUT', `/users/${student.user_id}`, { phone: '0100000' }))).toEqual([
      'mobile_11_digits@phone',
    ])
    expect(await phones(student.user_id)).toEqual([null, null])
    const clerk = await u.as('cashier')
    ok(await clerk('PUT', '/users/profile', { phone: '0100000' }))
  })

  test('of who left, what was erased does not come back, and takes nothing from the other record', async () => {
    const student = await w.student()
    const gone = await second(student.id)
    await w.query(`select decide_status(array[$1::int], 'graduated', 'D 1', university_today())`, [gone])
    await w.query('update users set phone = $2 where id = $1', [student.user_id, FIRST])
    await w.query('update students set phone = null where id = $1', [gone])
    expect(await phones(student.user_id)).toEqual([FIRST, FIRST, null])
    ok(await student.as('PUT', '/users/profile', { phone: SECOND }))
    expect(await phones(student.user_id)).toEqual([SECOND, SECOND, null])
  })

  test('and who only looks accounts up does not read it', async () => {
    const student = await w.student()
    ok(await student.as('PUT', '/users/profile', { phone: FIRST }))
    const looker = await u.as(null)
    await w.query(`insert into user_permissions (user_id, permission) values ($1, 'access_users')`, [looker.user_id])
    expect(ok(await looker('GET', `/users/${student.user_id}`)).phone).toBe(null)
    expect(ok(await (await u.as('admin'))('GET', `/users/${student.user_id}`)).phone).toBe(FIRST)
  })
})
