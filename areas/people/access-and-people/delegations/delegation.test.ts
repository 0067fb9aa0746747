import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { offerCourse, seed, type Fixture } from '#areas/records/grading/testing.server.ts'
import { actorOf } from '#kit/server/identity/auth.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { accessAndPeopleServer } from '../access-and-people.server.ts'
import { checkDelegation } from './delegation.rules.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let f: Fixture
let dean: Caller
let deputy: Caller
const EMAIL = 'deputy@university.example'
const day = (shift: number): string => addDays(dayOf(), shift)

beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, gradingServer, accessAndPeopleServer])
  f = await seed(u.database)
  dean = await u.as('dean', ['faculty', f.faculty], { name: 'Dean' })
  deputy = await u.as(null, undefined, { name: 'Deputy', email: EMAIL })
  // Whoever has just signed in has proved who it is.
  await u.database.pool.query('update sessions set confirmed_at = now()')
})
afterAll(() => u.close())

const delegate = (who: Caller, more: object = {}) =>
  who('PUT', '/users/delegations', {
    email: EMAIL,
    permissions: ['approve_control', 'access_control'],
    from_date: day(0),
    until_date: day(10),
    reason: 'Annual leave',
    ...more,
  })
/** The deputy, acting by a delegation. */
async function acting(id: number): Promise<Caller> {
  const { token } = ok(await deputy('POST', `/users/delegations/${id}/act`))
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) => {
    const answer = await u.app.inject({
      method,
      url: `/api${url}`,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { payload: body as object }),
    })
    return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
  }
  return Object.assign(call, { user_id: dean.user_id, token }) as Caller
}
const reviewed = async () =>
  (await offerCourse(u.database, f, { code: `d${Math.random()}`, control_status: 'Reviewed', students: [] })).id
const approve = (who: Caller, id: number) => who('PUT', `/control/offerings/approve-control-status/${id}`, {})
const rightsOf = async (who: Caller): Promise<string[]> =>
  ok(await who('GET', '/users/live-data')).permissions.toSorted()

describe('somebody stands in', () => {
  test('with what was delegated and no more, within the same reach, and both names are kept', async () => {
    const { id } = ok(await delegate(dean))
    expect((await approve(deputy, await reviewed())).status).toBe(403)
    const acts = await acting(id)
    expect(await rightsOf(acts)).toEqual(['access_control', 'approve_control'])
    const live = ok(await acts('GET', '/users/live-data'))
    expect(live).toMatchObject({
      user: { id: dean.user_id },
      impersonation: { by: { name: 'Deputy' }, until: day(10) },
    })

    const offering = await reviewed()
    ok(await approve(acts, offering))
    expect(ok(await acts('GET', `/control/offerings/history/${offering}`))[0]).toMatchObject({
      action: 'approve',
      by: { name: 'Deputy' },
      acting_for: { name: 'Dean' },
    })
    const { rows } = await u.database.pool.query(
      `select actor_id, impersonator_id from audit_log where table_name = 'offerings' and record_id = $1 and action = 'update' order by id desc limit 1`,
      [offering],
    )
    expect(rows).toEqual([{ actor_id: dean.user_id, impersonator_id: deputy.user_id }])
    // The dean may publish nothing, and freeze nothing; the deputy neither.
    expect((await acts('PUT', `/control/offerings/undo-control-status/${offering}`, { reason: 'again' })).status).toBe(
      403,
    )
    const elsewhere = await u.as('dean', ['faculty', f.otherFaculty])
    expect((await approve(elsewhere, await reviewed())).status).toBe(404)
  })

  test('is told, and sees from whom, what and until when', async () => {
    ok(await delegate(dean, { from_date: day(3), reason: 'Conference' }))
    const rows = ok(await deputy('GET', '/users/delegations'))
    expect(rows.find((one: any) => one.reason === 'Conference')).toMatchObject({
      from: { name: 'Dean' },
      state: 'planned',
      permissions: [{ id: 'approve_control', name: 'Approve marks' }, { id: 'access_control' }],
      abilities: ['end'],
    })
    const [notice] = ok(await deputy('GET', '/notifications'))
    expect(notice).toMatchObject({ key: 'access-and-people.notice_delegated', data: { name: 'Dean', until: day(10) } })
    const planned = rows.find((one: any) => one.reason === 'Conference').id
    expect((await deputy('POST', `/users/delegations/${planned}/act`)).body.message).toBe('delegation_over')
  })

  test('not with what is the person’s alone, and hands nothing on', async () => {
    const acts = await acting(ok(await delegate(dean)).id)
    for (const [method, path, body] of [
      ['GET', '/notifications'],
      ['POST', '/notifications/read', {}],
      ['GET', '/users/sessions'],
      ['GET', '/users/delegations'],
      ['PUT', '/users/delegations', {}],
    ] as const)
      expect((await acts(method, path, body)).body.message, path).toBe('personal')
  })
})

describe('nobody delegates more than he or she has', () => {
  test('what is not held, or never handed on, is refused with every other reason', async () => {
    const refused = await delegate(dean, {
      email: 'nobody@university.example',
      permissions: ['publish_control', 'approve_control'],
      from_date: day(5),
      until_date: day(2),
    })
    expect([refused.status, reasons(refused)]).toEqual([
      422,
      ['delegate_unknown@email', 'delegation_backwards@until_date', 'delegation_not_held@permissions'],
    ])
    expect(refused.body.errors.find((one: any) => one.code === 'delegation_not_held').data.keys).toBe('publish_control')
    const student = await u.as('student', undefined, { type: 3 })
    await u.database.pool.query('update sessions set confirmed_at = now()')
    expect((await delegate(student, { permissions: ['access_student'] })).status).toBe(403)
  })

  test.each([
    ['self', { to: { self: true, staff: true } }, ['delegate_self']],
    ['a student', { to: { self: false, staff: false } }, ['delegate_unknown']],
    ['over already', { from_date: '2026-01-01', until_date: '2026-01-05' }, ['delegation_past']],
    ['longer than a year', { until_date: '2028-01-01' }, ['delegation_long']],
    ['access of others', { permissions: ['login_as_user'] }, ['delegation_not_held']],
    ['nothing wrong', {}, []],
  ])('%s', (_name, more, codes) => {
    const given = {
      today: '2026-03-01',
      from_date: '2026-03-01',
      until_date: '2026-03-10',
      permissions: ['approve_control'],
      holds: () => true,
      to: { self: false, staff: true },
      ...more,
    }
    expect(checkDelegation(given).map((one) => one.code)).toEqual(codes)
  })

  test('a right that the person loses is lost to who stands in', async () => {
    const other = await u.as('dean', ['faculty', f.faculty])
    await u.database.pool.query('update sessions set confirmed_at = now()')
    const acts = await acting(ok(await delegate(other)).id)
    expect(await rightsOf(acts)).toContain('approve_control')
    await u.database.pool.query('delete from role_assignments where user_id = $1', [other.user_id])
    await expect.poll(() => rightsOf(acts)).toEqual([])
  })

  test('who stands in for a super admin is none', async () => {
    const root = await u.as(null)
    await u.database.pool.query('update users set is_super_admin = true where id = $1', [root.user_id])
    await u.database.pool.query('update sessions set confirmed_at = now()')
    const acts = await acting(ok(await delegate(await u.signIn(root.user_id))).id)
    expect(await rightsOf(acts)).toEqual(['access_control', 'approve_control'])
    expect((await acts('PUT', '/faculties', {})).status).toBe(403)
  })
})

describe('it ends', () => {
  test('by itself, after its last day, also for work that goes on later', async () => {
    const { id } = ok(await delegate(dean))
    const acts = await acting(id)
    const later = () => actorOf(u.services.pool, dean.user_id, { impersonator_id: deputy.user_id, delegation_id: id })
    expect([...(await later())!.rights.keys()].toSorted()).toEqual(['access_control', 'approve_control'])
    await u.database.pool.query(
      'update delegations set from_date = university_today() - 9, until_date = university_today() - 1 where id = $1',
      [id],
    )
    await expect.poll(async () => (await acts('GET', '/users/live-data')).status).toBe(401)
    expect(await later()).toBeNull()
    expect((await deputy('POST', `/users/delegations/${id}/act`)).status).toBe(409)
  })

  test('at once, when either takes it back; for nobody else', async () => {
    const { id } = ok(await delegate(dean))
    const acts = await acting(id)
    const stranger = await u.as('dean')
    expect((await stranger('POST', `/users/delegations/${id}/end`)).status).toBe(404)
    expect((await stranger('POST', `/users/delegations/${id}/act`)).status).toBe(404)
    ok(await deputy('POST', `/users/delegations/${id}/end`))
    await expect.poll(async () => (await acts('GET', '/users/live-data')).status).toBe(401)
    expect((await dean('POST', `/users/delegations/${id}/end`)).body.message).toBe('delegation_over')
  })
})
