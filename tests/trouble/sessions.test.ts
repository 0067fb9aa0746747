import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLog } from '#kit/server/log.ts'
import { createSession } from '#kit/server/sessions.ts'
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
}, 60_000)
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
  await u.database.pool.query(`update role_assignments set valid_to = current_date - 1 where user_id = $1`, [
    who.user_id,
  ])
  await soon(who.token, '403 not_allowed')
  await u.database.pool.query(`update role_assignments set valid_to = current_date where user_id = $1`, [who.user_id])
  await soon(who.token, '200')
  await u.database.pool.query(
    `update role_assignments set valid_from = current_date + 1, valid_to = null where user_id = $1`,
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
