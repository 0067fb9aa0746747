import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { AREA_SERVERS } from '../../apps/server/areas.server.ts'
import { testUniversity } from '../university.ts'
import type { Caller, TestUniversity } from '../university.ts'

/** The clock of a server process is wrong: what has run out and what has not is for the database's clock to say. */
const DAY = 86_400_000
let u: TestUniversity
let admin: Caller

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  admin = await u.as('super_admin', undefined, { email: 'admin@university.example' })
}, 180_000)
afterEach(() => void vi.useRealTimers())
afterAll(() => u?.close())

/** Only what tells the date is wrong; timers go on. */
const wrongBy = (days: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY })
}

async function upload(): Promise<{ id: number; url: string }> {
  const form = new FormData()
  form.set('file', new Blob(['%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n']), 'a.pdf')
  const sent = new Response(form)
  const answer = await u.app.inject({
    method: 'POST',
    url: '/api/files',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': sent.headers.get('content-type')! },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  expect(answer.statusCode).toBe(200)
  return answer.json().data
}

it.each([3, -3])(
  'off by %i days: sessions live as long as the database says, no longer and no shorter',
  async (days) => {
    wrongBy(days)
    const who = await u.as('registrar')
    expect((await who('GET', '/users/live-data')).status).toBe(200)
    const [left] = (
      await u.database.pool.query(
        `select extract(epoch from expires_at - now())::float8 / 3600 as hours from sessions where user_id = $1`,
        [who.user_id],
      )
    ).rows
    expect(left.hours).toBeGreaterThan(23)
    expect(left.hours).toBeLessThan(25)
    await u.database.pool.query(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [
      who.user_id,
    ])
    u.auth.forget()
    expect((await who('GET', '/users/live-data')).status).toBe(401)
  },
)

it.each([3, -3])('off by %i days: an address of a file holds for its day, by the database', async (days) => {
  const before = await upload()
  wrongBy(days)
  const meanwhile = await upload()
  expect(await u.app.inject({ url: before.url }).then((a) => a.statusCode)).toBe(404)
  const open = (url: string) =>
    u.app.inject({ url, headers: { authorization: `Bearer ${admin.token}` } }).then((a) => a.statusCode)
  // Not by having made the file: only the address counts.
  await u.database.pool.query('update files set created_by = null')
  expect([await open(before.url), await open(meanwhile.url)]).toEqual([200, 200])
  vi.useRealTimers()
  expect([await open(before.url), await open(meanwhile.url)]).toEqual([200, 200])
})

it('off by 3 days: a link for a new password is neither too old nor good for ever', async () => {
  wrongBy(3)
  const { rows } = await u.database.pool.query(
    `insert into password_resets (token_hash, user_id, expires_at) values (sha256('x'), $1, now() + interval '5 minutes') returning user_id`,
    [admin.user_id],
  )
  expect(rows).toHaveLength(1)
  const alive = await u.nobody('POST', '/users/reset-password', { token: 'x', password: 'short' })
  await u.database.pool.query(`update password_resets set expires_at = now() - interval '1 second'`)
  vi.setSystemTime(Date.now() - 6 * DAY)
  const gone = await u.nobody('POST', '/users/reset-password', { token: 'x', password: 'four loud mountains' })
  expect([alive.status, alive.body.message]).not.toEqual([gone.status, gone.body.message])
  expect(gone.body.message).toBe('link_not_valid')
})
