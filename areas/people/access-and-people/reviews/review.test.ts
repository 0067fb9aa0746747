/** Reviews of rights, and who looked at whose record. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { confirmSession } from '#kit/server/identity/sessions.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { accessAndPeopleServer } from '../access-and-people.server.ts'
import { tellReviews } from './review.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let admin: Caller
let clerk: Caller
let other: Caller
let local: Caller
const at = { faculty: 0, other: 0 }
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await query<{ id: number }>(text, values))[0]!.id
const day = (shift: number): string => addDays(dayOf(), shift)
const begin = async (until = day(20)) =>
  ok(await admin('PUT', '/rights/reviews', { name: 'Review', name_local: 'مراجعة', until_date: until }))
const rows = async (id: number, who = admin, filters: object = {}): Promise<any[]> =>
  ok(await who('POST', `/rights/reviews/${id}/rows`, { perPage: 500, filters }))
const decide = async (id: number, ids: number[], decision: string, who = admin, note?: string) =>
  (await who('POST', `/rights/reviews/${id}/decide`, { ids, decision, ...(note && { note }) })).body
const codes = (answer: any) => answer.failed.flatMap((one: any) => one.errors.map((error: any) => error.code))

beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, peopleServer, studentsServer, accessAndPeopleServer])
  at.faculty = await one(`insert into faculties (code, name, name_local) values ('F', 'Science', 'علوم') returning id`)
  at.other = await one(`insert into faculties (code, name, name_local) values ('G', 'Arts', 'آداب') returning id`)
  admin = await u.as('admin', undefined, { name: 'Admin' })
  clerk = await u.as('cashier', ['faculty', at.faculty], { name: 'Clerk' })
  other = await u.as('cashier', ['faculty', at.other], { name: 'Other' })
  local = await u.as(null, undefined, { name: 'Local' })
  await query(
    `insert into access_entries (user_id, permission, scope_type, scope_id)
     select $1, p, 'faculty', $2 from unnest('{review_rights,access_students,show_students}'::text[]) p`,
    [local.user_id, at.faculty],
  )
  await query(`insert into user_permissions (user_id, permission) values ($1, 'access_logs')`, [clerk.user_id])
})
afterAll(() => u?.close())

test('a review asks about each right of staff once; one is confirmed, one is taken with a reason, and its holder is told', async () => {
  const student = await u.as('student', undefined, { type: 3 })
  const { id, rows: count } = await begin()
  const all = await rows(id)
  expect(all).toHaveLength(count)
  expect(all.map((row) => row.user.id)).not.toContain(student.user_id)
  const mine = all.filter((row) => row.user.id === clerk.user_id)
  expect(mine).toMatchObject([
    {
      way: 'role',
      role: { name: 'Cashier' },
      scope: { name: 'Science' },
      decision: 'open',
      abilities: ['confirm', 'revoke'],
    },
    { way: 'direct', permission: 'access_logs', scope: null, decision: 'open' },
  ])
  const [role, direct] = mine
  expect((await decide(id, [role.id], 'confirm')).done).toEqual([role.id])
  expect((await decide(id, [direct.id], 'revoke', admin, 'No longer in quality')).done).toEqual([direct.id])
  expect(await query('select from user_permissions where user_id = $1', [clerk.user_id])).toEqual([])
  expect(ok(await clerk('GET', '/notifications'))[0]).toMatchObject({
    key: 'access-and-people.notice_right_revoked',
    data: { what: expect.any(String), area: 'permissions' },
  })
  const [entry] = ok(await admin('POST', `/users/access/${clerk.user_id}/history`, {}))
  expect(entry).toMatchObject({
    change: 'delete',
    permission: 'access_logs',
    by: { name: 'Admin' },
    reason: 'No longer in quality',
  })
  expect(ok(await admin('GET', `/rights/reviews/${id}`))).toMatchObject({ confirmed: 1, revoked: 1, open: count - 2 })
  // Decided once; a confirmation can be taken back, what was taken not.
  expect(codes(await decide(id, [role.id, direct.id], 'confirm'))).toEqual(['review_decided', 'review_decided'])
  expect((await decide(id, [role.id], 'reopen')).done).toEqual([role.id])
  expect(codes(await decide(id, [direct.id], 'reopen'))).toEqual(['review_decided'])
})

test('two who decide at the same moment decide once', async () => {
  const { id } = await begin()
  const [row] = (await rows(id)).filter((one) => one.user.id === other.user_id)
  const answers = await Promise.all([decide(id, [row.id], 'confirm'), decide(id, [row.id], 'confirm', admin)])
  expect(answers.map((one) => one.done.length).toSorted()).toEqual([0, 1])
})

test('nobody reviews the own rights, nor takes what he or she could not give; each is told for itself', async () => {
  const { id } = await begin()
  const all = await rows(id)
  const own = all.find((row) => row.user.id === admin.user_id)
  const near = all.find((row) => row.user.id === clerk.user_id && row.way === 'role')
  expect(own.abilities).toEqual([])
  expect(codes(await decide(id, [own.id], 'confirm'))).toEqual(['review_own'])
  expect(codes(await decide(id, [near.id], 'revoke', local))).toEqual(['right_not_yours_to_take'])
  expect((await decide(id, [near.id], 'confirm', local)).done).toEqual([near.id])
})

test('who reviews a faculty sees and decides only about its people; others see nothing', async () => {
  const { id } = await begin()
  const seen = (await rows(id, local)).map((row) => row.user.name)
  expect(seen).toContain('Clerk')
  expect(seen).not.toContain('Other')
  const far = (await rows(id)).find((row) => row.user.id === other.user_id)
  expect(codes(await decide(id, [far.id], 'confirm', local))).toEqual(['not_found'])
  expect(
    (await local('PUT', '/rights/reviews', { name: 'Mine', name_local: 'مراجعتي', until_date: day(5) })).status,
  ).toBe(403)
  expect((await local('POST', `/rights/reviews/${id}/close`)).status).toBe(403)
  // A review that is not there, though its rows are.
  const nowhere = await admin('POST', '/rights/reviews/999999/decide', { ids: [far.id], decision: 'confirm' })
  expect([nowhere.status, nowhere.body.message]).toEqual([404, 'not_found'])
  for (const [method, path, body] of [
    ['POST', '/rights/reviews', {}],
    ['GET', `/rights/reviews/${id}`],
    ['POST', `/rights/reviews/${id}/rows`, {}],
    ['POST', `/rights/reviews/${id}/decide`, { ids: [far.id], decision: 'confirm' }],
  ] as const)
    expect((await clerk(method, path, body)).status).toBe(403)
})

test('what is not decided when the days are over is told once, and stays given', async () => {
  expect(
    reasons(await admin('PUT', '/rights/reviews', { name: 'Late', name_local: 'متأخرة', until_date: day(-1) })),
  ).toEqual(['review_day@until_date'])
  const { id } = await begin()
  const given = await query('select id from role_assignments order by id')
  await query('update rights_reviews set until_date = university_today() - 1 where id = $1', [id])
  const run = () => tellReviews.run(asSystem(u.services, 'reviews of rights'), {}, (() => undefined) as never)
  expect(await run()).toMatchObject({ told: 1 })
  expect(await run()).toMatchObject({ told: 0 })
  const told = ok(await admin('GET', '/notifications')).filter((one: any) => one.key.endsWith('notice_review_open'))
  expect(told).toMatchObject([
    { link: `/settings/rights/reviews/${id}`, data: { name: 'Review', count: expect.any(Number) } },
  ])
  expect(await query('select id from role_assignments order by id')).toEqual(given)
  ok(await admin('POST', `/rights/reviews/${id}/close`))
  const [row] = await rows(id)
  expect(
    (await admin('POST', `/rights/reviews/${id}/decide`, { ids: [row.id], decision: 'confirm' })).body.message,
  ).toBe('review_closed')
})

test('what went meanwhile is gone, and asked about no more', async () => {
  const leaver = await u.as('cashier')
  const { id } = await begin()
  await query('delete from role_assignments where user_id = $1', [leaver.user_id])
  const row = (await rows(id)).find((one) => one.user.id === leaver.user_id)
  expect([row.decision, row.abilities]).toEqual(['gone', []])
  expect(await rows(id, admin, { decision: 'open' })).not.toContainEqual(expect.objectContaining({ id: row.id }))
})

test('a review waits on the home of who reviews, within reach', async () => {
  await query('update rights_reviews set closed_at = now()')
  const { id } = await begin()
  const waiting = async (who: Caller) =>
    ok(await who('GET', '/users/work')).waiting.filter((one: any) => one.key.endsWith('work_reviews'))
  expect(await waiting(admin)).toMatchObject([{ link: `/settings/rights/reviews/${id}` }])
  const [[near], [far]] = [await waiting(local), await waiting(admin)]
  expect(near.data.count).toBeLessThan(far.data.count)
  expect(await waiting(clerk)).toEqual([])
})

test('everybody sees who opened the own record, took a file out of it or was logged in as the person, and nobody else’s', async () => {
  const employee = await u.as('cashier', undefined, { name: 'Salma', email: 'salma@university.example' })
  ok(await admin('GET', `/employees/${employee.user_id}`))
  const teacher = await u.as('instructor', undefined, { type: 1, name: 'Nadia' })
  const instructor = await one(
    `insert into instructors (code, name, name_local, faculty_id, user_id) values ('N', 'Nadia', 'نادية', $1, $2) returning id`,
    [at.faculty, teacher.user_id],
  )
  const nadia = await u.signIn(teacher.user_id)
  ok(await admin('GET', `/instructors/${instructor}`))
  // The own looks are no news.
  ok(await nadia('GET', `/instructors/${instructor}`))
  const boss = await u.as('super_admin', undefined, { name: 'Boss' })
  await query('update users set is_super_admin = true where id = $1', [boss.user_id])
  const signed = await u.signIn(boss.user_id)
  for (const { id } of await query<{ id: string }>('select id from sessions where user_id = $1', [boss.user_id]))
    await confirmSession(u.database.pool, id)
  ok(await signed('POST', '/login-as-user', { user_id: employee.user_id }))
  const looks = async (who: Caller) =>
    ok(await who('POST', '/users/lookers', {})).map((row: any) => [row.kind, row.who?.name])
  await expect
    .poll(() => looks(employee), { timeout: 5000 })
    .toEqual([
      ['log_in_as', 'Boss'],
      ['read', 'Admin'],
    ])
  await expect.poll(() => looks(nadia)).toEqual([['read', 'Admin']])
  expect(ok(await nadia('POST', '/users/lookers', {}))[0].roles).toMatchObject([{ name: 'Admin' }])
  expect(await looks(other)).toEqual([])
  expect((await u.nobody('POST', '/users/lookers', {})).status).toBe(401)
})
