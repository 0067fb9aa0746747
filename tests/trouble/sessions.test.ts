import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { rightsOf } from '#access/rights.server.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { openUniversity } from '../../apps/server/assemble.ts'
import type { University } from '../../apps/server/assemble.ts'
import { AREA_SERVERS } from '../../apps/server/areas.server.ts'
import { testUniversity } from '../university.ts'
import type { Caller, TestUniversity } from '../university.ts'

/** Sessions that are over and rights that are taken away, in every process of the university at once. */
let u: TestUniversity
let second: University
let who: Caller

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  const config = { ...u.services.config, databaseUrl: u.database.url }
  second = await openUniversity({ config, log: createLog(config), areas: AREA_SERVERS, work: false })
}, 180_000)
afterAll(async () => {
  await second?.stop()
  await u?.close()
})
beforeEach(async () => {
  who = await u.as('registrar')
})

const list = { method: 'POST', url: '/api/buildings', payload: {} } as const
/** What both processes answer to a list that a registrar may see: status and code. */
const answers = async (token: string): Promise<string[]> =>
  Promise.all(
    [u.app, second.app].map(async (app) => {
      const answer = await app.inject({ ...list, headers: { authorization: `Bearer ${token}` } })
      return answer.statusCode === 200 ? '200' : `${answer.statusCode} ${answer.json().message}`
    }),
  )
const both = (answer: string) => [answer, answer]
/** Changes are heard of by notification, so within moments. */
const soon = (token: string, answer: string) =>
  expect.poll(() => answers(token), { timeout: 3000 }).toEqual(both(answer))
const set = (column: string) => u.database.pool.query(`update sessions set ${column} where user_id = $1`, [who.user_id])

it('one that has run out is refused, known or not', async () => {
  await set(`expires_at = now() - interval '1 second'`)
  expect(await answers(who.token)).toEqual(both('401 session_expired'))
})
it('one that was used for a while ends with its time', async () => {
  expect(await answers(who.token)).toEqual(both('200'))
  await set(`expires_at = now() - interval '1 second'`)
  await u.database.pool.query(`select pg_notify('session_changed', id::text) from sessions where user_id = $1`, [
    who.user_id,
  ])
  await soon(who.token, '401 session_expired')
})
it('one that nobody used for three hours is refused', async () => {
  await set(`last_used_at = now() - interval '3 hours 1 minute'`)
  expect(await answers(who.token)).toEqual(both('401 session_expired'))
})
it('one that its owner ends is over in every process', async () => {
  const other = (await createSession(u.database.pool, { user_id: who.user_id, ip: null })) as {
    id: string
    token: string
  }
  expect(await answers(other.token)).toEqual(both('200'))
  expect((await who('DELETE', `/users/sessions/${other.id}`)).status).toBe(200)
  await soon(other.token, '401 session_expired')
  expect(await answers(who.token)).toEqual(both('200'))
})
it('signing out ends it in every process', async () => {
  expect(await answers(who.token)).toEqual(both('200'))
  expect((await who('POST', '/users/logout', {})).status).toBe(200)
  await soon(who.token, '401 session_expired')
})
it('a blocked person is out at once, and in again when the block is lifted', async () => {
  expect(await answers(who.token)).toEqual(both('200'))
  await u.database.pool.query('update users set blocked_at = now() where id = $1', [who.user_id])
  await soon(who.token, '401 session_expired')
  await u.database.pool.query('update users set blocked_at = null where id = $1', [who.user_id])
  await soon(who.token, '200')
})
it('a role that is taken away is gone at once', async () => {
  expect(await answers(who.token)).toEqual(both('200'))
  await u.database.pool.query('delete from role_assignments where user_id = $1', [who.user_id])
  await soon(who.token, '403 not_allowed')
})
it('a right that is taken from a role is gone for all who hold it', async () => {
  expect(await answers(who.token)).toEqual(both('200'))
  await u.database.pool.query(
    `delete from role_permissions p using roles r where r.id = p.role_id and r.key = 'registrar' and p.permission = 'access_building'`,
  )
  await soon(who.token, '403 not_allowed')
  await u.database.pool.query(
    `insert into role_permissions (role_id, permission, reach) select id, 'access_building', 'scope' from roles where key = 'registrar'`,
  )
  await soon(who.token, '200')
})
it('an assignment counts from its first to its last day', async () => {
  await u.database.pool.query(`update role_assignments set valid_to = university_today() - 1 where user_id = $1`, [
    who.user_id,
  ])
  await soon(who.token, '403 not_allowed')
  await u.database.pool.query(`update role_assignments set valid_to = university_today() where user_id = $1`, [
    who.user_id,
  ])
  await soon(who.token, '200')
  await u.database.pool.query(
    `update role_assignments set valid_from = university_today() + 1, valid_to = null where user_id = $1`,
    [who.user_id],
  )
  await soon(who.token, '403 not_allowed')
})
it('tokens that cannot be one are refused without asking the database', async () => {
  for (const token of ['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}'`, 'A'.repeat(5000)])
    expect(await answers(token)).toEqual(both('401 not_signed_in'))
})
it('the cookie of a visitor serves no other site', async () => {
  const asked = async (headers: Record<string, string>) =>
    (await u.app.inject({ ...list, headers: { cookie: `session=${who.token}`, ...headers } })).statusCode
  expect(await asked({ 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await asked({ origin: u.services.config.publicUrl })).toBe(200)
  expect(await asked({ 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' })).toBe(403)
  expect(await asked({ 'sec-fetch-site': 'same-site', origin: 'https://sub.university.example' })).toBe(403)
  expect(await asked({ origin: 'null' })).toBe(403)
})

it('sessions asked for at the same time share a statement; everybody keeps the own rights, and none gets those of another', async () => {
  const { pool, db } = u.database
  const [student, other, plain, given, chief, blocked, away] = await Promise.all([
    u.as(null, undefined, { type: 3 }),
    u.as(null, undefined, { type: 3 }),
    u.as(null),
    u.as(null),
    u.as(null),
    u.as('registrar'),
    u.as('registrar'),
  ])
  await pool.query(`insert into user_permissions (user_id, permission) values ($1, 'access_logs')`, [given.user_id])
  await pool.query('update users set is_super_admin = true where id = $1', [chief.user_id])
  await pool.query('update users set blocked_at = now() where id = $1', [blocked.user_id])
  await pool.query(`update sessions set expires_at = now() where user_id = $1`, [away.user_id])
  const held = async ({ user_id }: Caller) => db.transaction().execute((tx) => rightsOf(tx, user_id))
  const found = async ({ token }: Caller) =>
    u.auth.authenticate({ headers: { authorization: `Bearer ${token}` } }).then(
      (actor) => actor && { user_id: actor.user_id, rights: actor.rights },
      () => 'refused' as const,
    )
  // Nothing is heard any more of what was just changed.
  await expect.poll(() => found(given).then((one) => one !== 'refused' && one?.rights.size)).toBe(1)
  u.auth.forget()
  const asked = vi.spyOn(u.services.pool, 'query')
  const people = [student, who, other, plain, given, chief]
  const answered = await Promise.all([...people, blocked, away].map(found))
  const statements = asked.mock.calls.filter(
    ([one]) => (one as unknown as { name?: string } | undefined)?.name === 'session_find',
  )
  asked.mockRestore()
  expect(answered).toEqual([
    ...(await Promise.all(people.map(async (one) => ({ user_id: one.user_id, rights: await held(one) })))),
    'refused',
    'refused',
  ])
  expect(answered.map((one) => (one && one !== 'refused' ? one.rights.size > 0 : null))).toEqual([
    true,
    true,
    true,
    false,
    true,
    true,
    null,
    null,
  ])
  expect(statements).toHaveLength(1)
})
