import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { hashPassword } from '#kit/server/identity/passwords.ts'
import { ok, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'

const PASSWORD = 'three quiet rivers'
let u: TestUniversity
let admin: Caller
beforeAll(async () => {
  u = await testUniversity([kitServer, accessAndPeopleServer, peopleServer, settingsServer, catalogueServer])
  admin = await u.as('admin')
})
afterAll(() => u.close())

const entries = async (filters: Record<string, unknown> = {}, search = '') => {
  await u.services.security.stop()
  return (await admin('POST', '/settings/logs/security', { perPage: 100, filters, search })).body.data as {
    kind: string
    actor: { id: number } | null
    impersonator: { id: number } | null
    subject: { id: number } | null
    account: string | null
    ip: string | null
    record: { type: string; id: number } | null
    data: Record<string, any>
  }[]
}
async function account(name: string): Promise<{ id: number; email: string }> {
  const email = `${name}@x.example`
  const { rows } = await u.services.pool.query(
    `insert into users (type, email, name, name_local, password_hash) values (2, $1, $2, 'اسم', $3) returning id`,
    [email, name, await hashPassword(PASSWORD)],
  )
  return { id: rows[0].id, email }
}
const login = (email: string, password = PASSWORD) => u.nobody('POST', '/login', { email, password })

test('signing in and out, failures and passwords are written down with whom and from where', async () => {
  const { id, email } = await account('Salma Writer')
  await login(email, 'not this one')
  const typed = 'my secret password typed here'
  await login(typed)
  await login(typed)
  await login('other@nowhere.example')
  const { body } = await login(email)
  const headers = { authorization: `Bearer ${body.data.token}` }
  await u.app.inject({ method: 'POST', url: '/api/users/confirm-password', headers, payload: { password: 'wrong' } })
  await u.nobody('POST', '/users/reset-password', { email })
  await u.app.inject({
    method: 'POST',
    url: '/api/users/reset-password',
    headers,
    payload: { current_password: PASSWORD, password: 'four loud mountains' },
  })
  await u.app.inject({ method: 'POST', url: '/api/users/logout', headers })
  const all = await entries({}, 'Salma')
  expect(all.map((e) => [e.kind, e.actor?.id ?? null, e.subject?.id, e.data]).toReversed()).toEqual([
    ['sign_in_failed', null, id, { reason: 'wrong' }],
    ['sign_in', id, id, { by: 'password' }],
    ['proof_failed', id, id, { reason: 'current_password_wrong' }],
    ['password_asked', null, id, {}],
    ['password_changed', id, id, { by: 'password' }],
    ['sign_out', id, id, {}],
  ])
  expect(all.every((e) => e.ip === '127.0.0.1')).toBe(true)
  // What was typed where no account is known by it is told apart, and told to nobody.
  const unknown = (await entries({ kind: ['sign_in_failed'] })).filter((e) => !e.subject)
  expect(unknown.map((e) => e.account)).toHaveLength(3)
  expect(new Set(unknown.map((e) => e.account)).size).toBe(2)
  const { rows } = await u.services.pool.query('select to_jsonb(l)::text as line from security_log l')
  expect(JSON.stringify(rows)).not.toContain(typed)
  expect(JSON.stringify(rows)).not.toContain('nowhere.example')
})

test('whoever hammers fills no log', async () => {
  const { email } = await account('Hamada Hammered')
  for (let i = 0; i < 30; i++) await login(email, `guess ${i}`)
  const all = await entries({ kind: ['sign_in_failed'] }, 'Hamada')
  expect(all.map((e) => e.data.reason).toSorted()).toEqual(['slowed', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong'])
})

test('acting as another, ended sessions, exports, opened records and refusals are written down', async () => {
  const { id } = await account('Kamal Clerk')
  const boss = await u.as('admin', undefined, { name: 'Boss Person' })
  const code = `F${Math.random().toString(36).slice(2, 7)}`
  const faculty = ok(
    await admin('PUT', '/faculties', { code, short_name: code, name: 'Faculty of logs', name_local: 'كلية السجلات' }),
  )
  const instructor = ok(
    await admin('PUT', '/instructors', {
      code: `I${code}`,
      name: 'Nadia Read',
      name_local: 'نادية',
      faculty_id: faculty.id,
    }),
  )
  const as = (await boss('POST', '/login-as-user', { user_id: id })).body.data.token
  await u.app.inject({ method: 'POST', url: '/api/users/logout', headers: { authorization: `Bearer ${as}` } })
  await boss('DELETE', `/people/user/${id}/sessions`)
  // Opened three times within minutes is one entry; a template tells of nobody.
  for (let i = 0; i < 3; i++) ok(await boss('GET', `/instructors/${instructor.id}`))
  await boss('POST', '/instructors/export', { search: 'nadia', filters: { faculty_id: [faculty.id] } })
  await boss('GET', '/instructors/import/template')
  const clerk = await u.signIn(id)
  for (let i = 0; i < 3; i++) expect((await clerk('POST', '/employees', {})).status).toBe(403)

  const ofBoss = (await entries({}, 'Boss')).filter((e) => e.kind !== 'rights').toReversed()
  expect(ofBoss.map((e) => [e.kind, e.actor?.id, e.impersonator?.id ?? null, e.subject?.id ?? null])).toEqual([
    ['log_in_as', boss.user_id, null, id],
    ['log_in_as_ended', id, boss.user_id, id],
    ['session_ended', boss.user_id, null, id],
    ['read', boss.user_id, null, instructor.id],
    ['export', boss.user_id, null, null],
  ])
  expect(ofBoss[3]!.record).toEqual({ type: 'instructor', id: instructor.id })
  expect(ofBoss[4]!.data).toMatchObject({
    call: 'POST /instructors/export',
    rows: 1,
    asked: { search: 'nadia', filters: { faculty_id: [faculty.id] } },
  })
  expect((await entries({ kind: ['refused'] }, 'Kamal')).map((e) => e.data)).toEqual([
    { call: 'POST /employees', code: 'not_allowed' },
  ])
})

test('rights that change are written down by the database, whoever changes them', async () => {
  const { id } = await account('Rania Rights')
  const { pool } = u.services
  await pool.query(
    `insert into role_assignments (user_id, role_id, scope_type, scope_id) select $1, id, 'faculty', 7 from roles where key = 'registrar'`,
    [id],
  )
  await pool.query(`insert into user_permissions (user_id, permission) values ($1, 'reset_password')`, [id])
  await pool.query('delete from role_assignments where user_id = $1', [id])
  await pool.query('update users set is_super_admin = true where id = $1', [id])
  await pool.query(`update users set phone = '0100' where id = $1`, [id])
  const all = (await entries({ kind: ['rights'] }, 'Rania')).toReversed()
  expect(all.map((e) => [e.subject?.id, e.data])).toMatchObject([
    [id, { change: 'insert', what: 'role_assignments', role: 'registrar', scope_type: 'faculty', scope_id: 7 }],
    [id, { change: 'insert', what: 'user_permissions', permission: 'reset_password' }],
    [id, { change: 'delete', what: 'role_assignments', role: 'registrar' }],
    [id, { change: 'update', what: 'users', is_super_admin: true }],
  ])
})

test('it is read only by those whose right reaches everything, and changed by nobody', async () => {
  const local = await u.as('admin', ['faculty', 1])
  expect((await local('POST', '/settings/logs/security', {})).body.message).toBe('not_allowed')
  expect((await (await u.as('registrar'))('POST', '/settings/logs/security', {})).status).toBe(403)
  expect((await u.nobody('POST', '/settings/logs/security', {})).status).toBe(401)
  await entries()
  for (const change of ['update security_log set ip = null', 'delete from security_log', 'truncate security_log'])
    await expect(u.database.pool.query(change)).rejects.toMatchObject({ message: 'The security log is append-only' })
  // The program itself may not even ask.
  for (const change of ['update security_log set ip = null', 'delete from security_log', 'truncate security_log'])
    await expect(u.services.pool.query(change)).rejects.toMatchObject({ code: '42501' })
})

test('it is found by address, kind and time', async () => {
  expect((await entries({ ip: '127.0.0' })).length).toBeGreaterThan(0)
  expect(await entries({ ip: '10.9' })).toEqual([])
  expect(await entries({ at: { from: '2100-01-01' } })).toEqual([])
  expect(new Set((await entries({ kind: ['sign_in'] })).map((e) => e.kind))).toEqual(new Set(['sign_in']))
  expect((await admin('POST', '/settings/logs/security', { filters: { data: 'x' } })).status).toBe(422)
})

test('files that were handed in stand in the audit trail', async () => {
  const form = new FormData()
  form.append('file', new Blob(['%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer << >>\n%%EOF\n']), 'report.pdf')
  const encoded = new Response(form)
  const answer = await u.app.inject({
    method: 'POST',
    url: '/api/files',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  expect(answer.statusCode).toBe(200)
  const { rows } = await u.services.pool.query(
    `select actor_id, new ->> 'name' as name from audit_log where table_name = 'files' and action = 'insert'`,
  )
  expect(rows).toEqual([{ actor_id: admin.user_id, name: 'report.pdf' }])
})
