import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { confirmSession } from '#kit/server/identity/sessions.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { accessAndPeopleServer } from '../access-and-people.server.ts'

let u: TestUniversity
let admin: Caller
let registrar: Caller
const at = { faculty: 0, other: 0, program: 0, bylaw: 0 }
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await query<{ id: number }>(text, values))[0]!.id
let count = 0
const student = (email: string | null, faculty = at.faculty) =>
  one(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, email) values ($1, 'Mona Ali', 'منى علي', $2, $3, $4, $5) returning id`,
    [`S${++count}`, faculty, at.program, at.bylaw, email],
  )
const instructor = (email: string | null, max_advised: number | null = null) =>
  one(
    `insert into instructors (code, name, name_local, faculty_id, email, max_advised) values ($1, 'Dr Sami', 'د سامي', $2, $3, $4) returning id`,
    [`I${++count}`, at.faculty, email, max_advised],
  )
/** Sensitive calls want the own password shortly before. */
const proven = async (who: Caller): Promise<Caller> => {
  const sessions = await query<{ id: string }>('select id from sessions where user_id = $1', [who.user_id])
  for (const { id } of sessions) await confirmSession(u.database.pool, id)
  return who
}

beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer, studentsServer, accessAndPeopleServer], { work: true })
  admin = await u.as('admin')
  registrar = await u.as('registrar')
  at.faculty = await one(`insert into faculties (code, name, name_local) values ('F', 'Science', 'علوم') returning id`)
  at.other = await one(`insert into faculties (code, name, name_local) values ('G', 'Arts', 'آداب') returning id`)
  at.bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local) values ($1, 'B', 'B', 'ل') returning id`,
    [at.faculty],
  )
  at.program = await one(
    `insert into programs (faculty_id, bylaw_id, code, name, name_local) values ($1, $2, 'P', 'P', 'ب') returning id`,
    [at.faculty, at.bylaw],
  )
})
afterAll(() => u.close())

test('who is added by hand is invited, gets an account of the right type, and a link for a week', async () => {
  const id = await student('mona@university.example')
  await query(`update students set used_name = 'Mona', given_name = 'Mona', family_name = 'Ali' where id = $1`, [id])
  const { user_id } = ok(await registrar('POST', `/people/student/${id}/invite`))
  // The account bears the names of the record.
  expect(
    await query('select type, email, password_hash, name, used_name, family_name from users where id = $1', [user_id]),
  ).toEqual([
    {
      type: 3,
      email: 'mona@university.example',
      password_hash: null,
      name: 'Mona Ali',
      used_name: 'Mona',
      family_name: 'Ali',
    },
  ])
  expect(await query('select user_id from students where id = $1', [id])).toEqual([{ user_id }])
  await expect
    .poll(
      async () =>
        (
          await query<{ days: number }>(
            `select round(extract(epoch from expires_at - now()) / 86400)::int as days from password_resets where user_id = $1`,
            [user_id],
          )
        )[0]?.days,
      { timeout: 45_000 },
    )
    .toBe(7)
  // Asked again it is the same account; once a password is set, it is no invitation any more.
  expect(ok(await registrar('POST', `/people/student/${id}/invite`)).user_id).toBe(user_id)
  await query(`update users set password_hash = 'x' where id = $1`, [user_id])
  expect(reasons(await registrar('POST', `/people/student/${id}/invite`))).toEqual(['has_account'])
})

test('an instructor who is invited holds the role, and advises where the record says so', async () => {
  const id = await instructor('sami@university.example', 20)
  const { user_id } = ok(await registrar('POST', `/people/instructor/${id}/invite`))
  const roles = await query<{ key: string }>(
    'select r.key from role_assignments a join roles r on r.id = a.role_id where a.user_id = $1 order by 1',
    [user_id],
  )
  expect(roles.map((row) => row.key)).toEqual(['academic_advisor', 'instructor'])
})

test('an invitation needs an address of the person alone, the right, and reach', async () => {
  expect(reasons(await registrar('POST', `/people/student/${await student(null)}/invite`))).toEqual(['no_email'])
  // Of an account that is there: it has an address, and is not blocked.
  const there = async (email: string | null, blocked: boolean) => {
    const of = await student(email)
    const user = await one(
      `insert into users (type, name, name_local, email, blocked_at) values (3, 'Mona', 'منى', $1, case when $2 then now() end) returning id`,
      [email, blocked],
    )
    await query('update students set user_id = $2 where id = $1', [of, user])
    const answer = await registrar('POST', `/people/student/${of}/invite`)
    expect(await query('select from password_resets where user_id = $1', [user])).toEqual([])
    return [answer.status, ...reasons(answer)]
  }
  expect(await there(null, false)).toEqual([409, 'no_email'])
  expect(await there('blocked@university.example', true)).toEqual([409, 'account_blocked'])
  const id = await student('far@university.example', at.other)
  const within = await u.as('registrar', ['faculty', at.faculty])
  expect((await within('POST', `/people/student/${id}/invite`)).status).toBe(404)
  expect(
    (await (await u.as('instructor', undefined, { type: 1 }))('POST', `/people/student/${id}/invite`)).status,
  ).toBe(403)
  const taken = await student(null)
  await u.as(null, undefined, { email: 'taken@university.example' })
  await query(`alter table students disable trigger email_update`)
  await query(`update students set email = 'taken@university.example' where id = $1`, [taken])
  await query(`alter table students enable trigger email_update`)
  expect((await registrar('POST', `/people/student/${taken}/invite`)).status).toBe(422)
})

test('an account is blocked with a reason by who may, and its sessions end; not the own, nor above one’s rights', async () => {
  const staff = await u.as('registrar')
  const body = { kind: 'user', blocked: true, reason: 'left the university' }
  expect((await registrar('POST', `/block/${staff.user_id}`, body)).status).toBe(404)
  expect(reasons(await admin('POST', `/block/${staff.user_id}`, { ...body, reason: null }))).toEqual([
    'reason_required@reason',
  ])
  ok(await admin('POST', `/block/${staff.user_id}`, body))
  u.auth.forget()
  expect((await staff('GET', '/users/live-data')).status).toBe(401)
  expect(reasons(await admin('POST', `/block/${staff.user_id}`, body))).toEqual(['account_is_blocked'])
  expect(reasons(await admin('POST', `/block/${admin.user_id}`, body))).toEqual(['block_yourself'])
  ok(await admin('POST', `/block/${staff.user_id}`, { kind: 'user', blocked: false }))
  expect(reasons(await admin('POST', `/block/${staff.user_id}`, { kind: 'user', blocked: false }))).toEqual([
    'account_is_not_blocked',
  ])
  // The sessions of before are over: whoever is let in again signs in anew.
  u.auth.forget()
  expect((await staff('GET', '/users/live-data')).status).toBe(401)
  const root = await u.as(null)
  await query('update users set is_root = true where id = $1', [root.user_id])
  expect(reasons(await admin('POST', `/block/${root.user_id}`, body))).toEqual(['person_has_more_rights'])
  const id = await instructor(null)
  expect(reasons(await admin('POST', `/block/${id}`, { ...body, kind: 'instructor' }))).toEqual(['no_account'])
})

test('logging in as somebody without an account says so', async () => {
  const id = await instructor(null)
  await proven(admin)
  expect(reasons(await admin('POST', '/login-as-user', { instructor_id: id }))).toEqual(['no_account'])
  expect(reasons(await admin('POST', '/login-as-student', { student_id: await student(null) }))).toEqual(['no_account'])
})

test('the profile tells every right and by what it is held; telephone and photo are changed by the person alone', async () => {
  const who = await u.as('cashier')
  await query(`insert into user_permissions (user_id, permission) values ($1, 'access_logs')`, [who.user_id])
  await query(
    `insert into access_entries (user_id, permission, scope_type, scope_id, valid_to) values ($1, 'show_students', 'faculty', $2, university_today() + 3)`,
    [who.user_id, at.faculty],
  )
  u.auth.forget()
  const profile = ok(await who('GET', '/users/profile'))
  const keys = (list: { key: string }[]) => list.map((one) => one.key)
  expect(keys(profile.role_permissions)).toContain('access_students')
  expect(keys(profile.direct_permissions)).toEqual(['access_logs'])
  expect(keys(profile.user_access_permissions)).toEqual(['show_students'])
  expect(profile.access_entries).toMatchObject([
    { key: 'show_students', name_local: expect.any(String), scope: { type: 'faculty', name: 'Science' } },
  ])
  expect(ok(await who('PUT', '/users/profile', { phone: '01001234567' })).phone).toBe('01001234567')
  expect((await who('PUT', '/users/profile', { phone: '12' })).status).toBe(422)
  expect((await who('PUT', '/users/profile', { name: 'Somebody' })).status).toBe(422)

  const photo = async (id: number, name: string, content: Buffer) => {
    const form = new FormData()
    form.set('photo', new Blob([new Uint8Array(content)]), name)
    const encoded = new Response(form)
    const answer = await u.app.inject({
      method: 'POST',
      url: `/api/archive/update/profile/${id}`,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': encoded.headers.get('content-type')! },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const changed = await photo(who.user_id, 'me.png', png)
  expect([changed.status, typeof changed.body.data?.photo]).toEqual([200, 'string'])
  expect((await photo(registrar.user_id, 'me.png', png)).status).toBe(404)
  expect((await photo(who.user_id, 'me.png', Buffer.from('%PDF-1.7 no picture'))).status).toBe(422)
})
