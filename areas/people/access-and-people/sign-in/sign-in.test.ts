import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seedRoles } from '#access/rights.server.ts'
import { createTestDatabase, emptyTables } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { hashPassword } from '#kit/server/identity/passwords.ts'
import { openUniversity } from '../../../../apps/server/assemble.ts'
import type { University } from '../../../../apps/server/assemble.ts'
import { accessAndPeopleServer } from '../access-and-people.server.ts'
import { createLoginToken } from './sign-in.server.ts'

const PASSWORD = 'three quiet rivers'
let database: TestDatabase
let folder: string
let hash: string
/** Two processes on one database. */
let one: University
let two: University

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'ems-sign-in-'))
  hash = await hashPassword(PASSWORD)
  const config = {
    ...readConfig({
      DATA_DIR: folder,
      STORAGE_URL: pathToFileURL(path.join(folder, 'files')).href,
      PUBLIC_URL: 'https://ems.example',
    }),
    databaseUrl: database.url,
  }
  const assembly = {
    config,
    log: pino({ level: 'silent' }),
    areas: [kitServer, accessAndPeopleServer],
    partial: true,
    supervise: 1,
  }
  one = await openUniversity(assembly)
  two = await openUniversity({ ...assembly, work: false })
})
afterAll(async () => {
  await one?.stop()
  await two?.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await emptyTables(database.db, ['secrets'])
  await database.db.transaction().execute(seedRoles)
  one.auth.forget()
  two.auth.forget()
})

interface Answer {
  status: number
  body: any
  cookies: Record<string, { value: string; [k: string]: unknown }>
  headers: Record<string, unknown>
}
interface Sent {
  ip?: string
  token?: string
  cookie?: string
  body?: unknown
  at?: University
  headers?: Record<string, string>
}
async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, o: Sent = {}): Promise<Answer> {
  const response = await (o.at ?? one).app.inject({
    method,
    url: `/api${url}`,
    ...(o.ip && { remoteAddress: o.ip }),
    headers: {
      ...(o.token && { authorization: `Bearer ${o.token}` }),
      ...(o.cookie && { cookie: o.cookie }),
      ...o.headers,
    },
    ...(o.body !== undefined && { payload: o.body as object }),
  })
  const type = String(response.headers['content-type'])
  return {
    status: response.statusCode,
    body: type.includes('json') ? response.json() : response.rawPayload,
    cookies: Object.fromEntries(response.cookies.map((c) => [c.name, c as never])),
    headers: response.headers,
  }
}
async function person(
  email: string,
  fields: { type?: number; roles?: string[]; is_super_admin?: boolean; is_root?: boolean } = {},
): Promise<number> {
  const { rows } = await database.pool.query(
    `insert into users (type, email, name, name_local, password_hash, is_super_admin, is_root) values ($1, $2, 'Layla Fouad', 'ليلى فؤاد', $3, $4, $5) returning id`,
    [fields.type ?? 2, email, hash, fields.is_super_admin ?? false, fields.is_root ?? false],
  )
  for (const role of fields.roles ?? []) {
    await database.pool.query(
      `insert into role_assignments (user_id, role_id) select $1, id from roles where key = $2`,
      [rows[0].id, role],
    )
  }
  return rows[0].id
}
const signIn = async (email: string, at?: University): Promise<string> => {
  const { status, body } = await send('POST', '/login', { body: { email, password: PASSWORD }, ...(at && { at }) })
  expect(status).toBe(200)
  return body.data.token
}
/** Signs in as a browser does: with all cookies it holds, and keeping those it is given. */
async function browse(
  jar: Record<string, string>,
  email: string,
  o: { password?: string; ip?: string; agent?: string } = {},
): Promise<Answer> {
  const answer = await send('POST', '/login', {
    body: { email, password: o.password ?? PASSWORD },
    cookie: cookiesOf(jar),
    headers: { 'user-agent': o.agent ?? 'Test browser' },
    ...(o.ip && { ip: o.ip }),
  })
  for (const [name, { value }] of Object.entries(answer.cookies)) jar[name] = value
  return answer
}
const cookiesOf = (jar: Record<string, string>): string =>
  Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
const me = (token: string, at?: University) => send('GET', '/users/profile', { token, ...(at && { at }) })
async function mails(): Promise<string[]> {
  const place = path.join(folder, 'mail')
  const names = await readdir(place).catch(() => [])
  return Promise.all(names.toSorted().map((name) => readFile(path.join(place, name), 'utf8')))
}
async function mailAfter(count: number): Promise<string> {
  for (let i = 0; i < 400; i++) {
    const all = await mails()
    if (all.length > count) return all.at(-1)!
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('no mail came')
}

describe('signing in', () => {
  test('by e-mail and password, in any case and with spaces', async () => {
    const id = await person('l.fouad@university.example', { roles: ['registrar'] })
    const answer = await send('POST', '/login', {
      body: { email: '  L.Fouad@University.example ', password: PASSWORD },
      headers: { 'user-agent': 'Test browser' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data.user).toMatchObject({
      id,
      type: 2,
      email: 'l.fouad@university.example',
      name_local: 'ليلى فؤاد',
    })
    expect(JSON.stringify(answer.body)).not.toContain('argon2')
    const { user } = answer.cookies
    const session = answer.cookies['__Host-session']
    expect(session).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
      value: answer.body.data.token,
    })
    expect(user).not.toHaveProperty('httpOnly')
    expect(JSON.parse(user!.value)).toEqual({ id, is_super_admin: false, is_root: false })
    // Both ways, in both processes.
    expect((await me(answer.body.data.token, two)).body.data).toMatchObject({
      id,
      roles: [{ name: 'Registrar', scope: null }],
    })
    expect((await send('GET', '/users/profile', { cookie: `a=b; __Host-session=${session!.value}` })).status).toBe(200)
    const { rows } = await database.pool.query(
      'select user_agent, host(ip) as ip from last_logins where user_id = $1',
      [id],
    )
    expect(rows).toEqual([{ user_agent: 'Test browser', ip: '127.0.0.1' }])
    const stored = await database.pool.query('select * from sessions')
    expect(JSON.stringify(stored.rows)).not.toContain(answer.body.data.token)
  })

  test('who studies and teaches comes in by both entries', async () => {
    const id = await person('both@x.example', { type: 3 })
    await database.pool.query(
      `with f as (insert into faculties (code, name, name_local) values ('BOTH', 'x', 'س') returning id)
       insert into instructors (user_id, code, name, name_local, faculty_id) select $1, 'BOTH', 'x', 'س', id from f`,
      [id],
    )
    const enter = async (type: number) =>
      (await send('POST', '/login', { body: { email: 'both@x.example', password: PASSWORD, type } })).status
    expect([await enter(3), await enter(1), await enter(2)]).toEqual([200, 200, 401])
  })

  test('a wrong password, an unknown account and another entry are told the same', async () => {
    await person('a@x.example')
    const wrong = await send('POST', '/login', { body: { email: 'a@x.example', password: 'not this' } })
    const unknown = await send('POST', '/login', { body: { email: 'b@x.example', password: PASSWORD } })
    const entry = await send('POST', '/login', { body: { email: 'a@x.example', password: PASSWORD, type: 3 } })
    for (const answer of [wrong, unknown, entry]) {
      expect([answer.status, answer.body.message, answer.cookies]).toEqual([401, 'sign_in_failed', {}])
    }
    expect(wrong.body).toEqual(unknown.body)
  })

  test('a blocked person hears so only with the right password', async () => {
    const id = await person('a@x.example')
    await database.pool.query('update users set blocked_at = now() where id = $1', [id])
    expect(
      (await send('POST', '/login', { body: { email: 'a@x.example', password: 'wrong one here' } })).body.message,
    ).toBe('sign_in_failed')
    const answer = await send('POST', '/login', { body: { email: 'a@x.example', password: PASSWORD } })
    expect([answer.status, answer.body.message]).toEqual([403, 'account_blocked'])
  })

  test('guessing is slowed, over all processes, and the right password waits as well', async () => {
    await person('a@x.example')
    const guess = (i: number) =>
      send('POST', '/login', { body: { email: 'a@x.example', password: `guess ${i}` }, at: i % 2 ? one : two })
    for (let i = 0; i < 5; i++) expect((await guess(i)).status).toBe(401)
    const answer = await send('POST', '/login', { body: { email: 'a@x.example', password: PASSWORD } })
    expect([answer.status, answer.body.message, answer.body.errors[0].data]).toEqual([
      429,
      'too_many_requests',
      { seconds: 1 },
    ])
    expect(answer.headers['retry-after']).toBe('1')
    await database.pool.query(`update login_attempts set blocked_until = now() - interval '1 second'`)
    await signIn('a@x.example')
  })

  test('a stranger who guesses keeps nobody out: neither from elsewhere, nor in a browser used before', async () => {
    await person('root@x.example', { is_root: true })
    const jar: Record<string, string> = {}
    expect((await browse(jar, 'root@x.example', { ip: '10.1.1.1' })).status).toBe(200)
    expect(jar['__Host-device']).toMatch(/^[\w-]{43}$/)
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        send('POST', '/login', {
          body: { email: 'root@x.example', password: `guess ${i}` },
          ip: '10.6.6.6',
          at: i % 2 ? one : two,
        }),
      ),
    )
    expect(guesses.map((g) => g.status).filter((status) => status === 401)).toHaveLength(5)
    // Longer than the second it is for now: this test may be slow.
    await database.pool.query(
      `update login_attempts set blocked_until = now() + interval '10 minutes' where key like '%account here%'`,
    )
    // The stranger waits, the owner does not: from another address, and in the known browser even from that address.
    const right = { email: 'root@x.example', password: PASSWORD }
    expect((await send('POST', '/login', { body: right, ip: '10.6.6.6' })).status).toBe(429)
    expect((await send('POST', '/login', { body: right, ip: '10.1.1.2' })).status).toBe(200)
    expect((await browse(jar, 'root@x.example', { ip: '10.6.6.6' })).status).toBe(200)
    // A browser of somebody else, and one that only says so, are strangers.
    await person('b@x.example')
    const other: Record<string, string> = {}
    await browse(other, 'b@x.example', { ip: '10.2.2.2' })
    expect((await browse(other, 'root@x.example', { ip: '10.6.6.6' })).status).toBe(429)
    const forged = { '__Host-device': 'A'.repeat(43) }
    expect((await browse(forged, 'root@x.example', { ip: '10.6.6.6' })).status).toBe(429)
    // Unknown accounts are counted just so.
    const unknown = await Promise.all(
      Array.from({ length: 8 }, () =>
        send('POST', '/login', { body: { email: 'nobody@x.example', password: 'x' }, ip: '10.6.6.7' }),
      ),
    )
    expect(unknown.map((g) => g.status).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  })

  test('a secret that we did not give is not taken over', async () => {
    await person('a@x.example')
    const jar: Record<string, string> = { '__Host-device': 'A'.repeat(43) }
    await browse(jar, 'a@x.example')
    expect(jar['__Host-device']).not.toBe('A'.repeat(43))
    const given = jar['__Host-device']
    await person('b@x.example')
    expect((await browse(jar, 'b@x.example')).cookies['__Host-device']).toBeUndefined()
    expect(jar['__Host-device']).toBe(given)
    const { rows } = await database.pool.query(
      'select count(distinct device_hash)::int as n, count(*)::int as people from known_devices',
    )
    expect(rows).toEqual([{ n: 1, people: 2 }])
  })

  test('the browser of a session that is left ends it; a program keeps its tokens', async () => {
    const [a] = [await person('a@x.example'), await person('b@x.example', { is_super_admin: true })]
    const jar: Record<string, string> = {}
    const first = (await browse(jar, 'a@x.example')).body.data.token
    const second = (await browse(jar, 'b@x.example')).body.data.token
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 200])
    // Out of a session as another person, too, and with it the one it would have led back to.
    const as = await send('POST', '/login-as-user', { cookie: cookiesOf(jar), body: { user_id: a } })
    jar['__Host-session'] = as.body.data.token
    const third = (await browse(jar, 'a@x.example')).body.data.token
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([(await me(second)).status, (await me(as.body.data.token)).status, (await me(third)).status]).toEqual([
      401, 401, 200,
    ])
    const kept = await signIn('a@x.example')
    await send('POST', '/login', { token: kept, body: { email: 'a@x.example', password: PASSWORD } })
    expect((await me(kept)).status).toBe(200)
  })

  test('over https only a cookie that no neighbour can set is a session', async () => {
    await person('a@x.example')
    const token = await signIn('a@x.example')
    expect((await send('GET', '/users/profile', { cookie: `session=${token}` })).status).toBe(401)
    expect((await send('GET', '/users/profile', { cookie: `__Host-session=${token}` })).status).toBe(200)
  })

  test('a sign-in in an unknown browser is told to the person, by notification and mail', async () => {
    const id = await person('a@x.example')
    await database.pool.query(`update users set language = 'en' where id = $1`, [id])
    const told = async () =>
      (await database.pool.query('select key, data, link from notifications where user_id = $1', [id])).rows
    const before = (await mails()).length
    const jar: Record<string, string> = {}
    // The first browser, the same again, and a private window of the same program in the same network.
    await browse(jar, 'a@x.example', { ip: '10.1.1.1' })
    await browse(jar, 'a@x.example', { ip: '10.9.9.9', agent: 'Updated browser' })
    await browse({}, 'a@x.example', { ip: '10.9.9.77', agent: 'Updated browser' })
    expect(await told()).toEqual([])
    await browse({}, 'a@x.example', { ip: '10.66.6.6', agent: 'Other <browser>' })
    expect(await told()).toEqual([{ key: 'kit.notice_new_sign_in', data: { address: '10.66.6.6' }, link: '/profile' }])
    const mail = await mailAfter(before)
    expect(mail).toContain('To: a@x.example')
    expect(mail).toContain('10.66.6.6')
    expect(mail).toContain('Other <browser>')
    expect(mail).toContain('https://ems.example/profile')
  })

  test('input is checked: nothing unknown, nothing endless', async () => {
    const answer = await send('POST', '/login', { body: { email: 'a@x.example', password: 'x', admin: true } })
    expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'unknown_field'])
    expect((await send('POST', '/login', { body: { email: 'a@x.example', password: 'x'.repeat(201) } })).status).toBe(
      422,
    )
    expect((await send('POST', '/login')).status).toBe(422)
  })

  test('another site cannot sign somebody in or out', async () => {
    await person('a@x.example')
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await send('POST', '/login', { body: { email: 'a@x.example', password: PASSWORD }, headers })).status).toBe(
      403,
    )
    const token = await signIn('a@x.example')
    expect((await send('POST', '/users/logout', { cookie: `__Host-session=${token}`, headers })).status).toBe(403)
    expect((await me(token)).status).toBe(200)
  })

  test('by a token that works once', async () => {
    const id = await person('a@x.example', { type: 4 })
    const token = await database.db.transaction().execute((tx) => createLoginToken(tx, id, null))
    const first = await send('POST', '/login-with-token', { body: { token } })
    expect([first.status, first.body.data.user.id]).toEqual([200, id])
    expect((await send('POST', '/login-with-token', { body: { token } })).body.message).toBe('link_not_valid')
    const late = await database.db.transaction().execute((tx) => createLoginToken(tx, id, null, -1))
    expect((await send('POST', '/login-with-token', { body: { token: late } })).status).toBe(401)
    const held = await database.db.transaction().execute((tx) => createLoginToken(tx, id, null))
    await database.pool.query('update users set blocked_at = now() where id = $1', [id])
    const blocked = await send('POST', '/login-with-token', { body: { token: held } })
    expect([blocked.status, blocked.body.message, blocked.cookies]).toEqual([403, 'account_blocked', {}])
  })
})

describe('sessions', () => {
  test('signing out ends the session at once in every process', async () => {
    await person('a@x.example')
    const token = await signIn('a@x.example')
    expect((await me(token, one)).status).toBe(200)
    expect((await me(token, two)).status).toBe(200)
    const out = await send('POST', '/users/logout', { cookie: `__Host-session=${token}`, at: one })
    expect(out.body).toEqual({ data: null })
    expect(out.cookies['__Host-session']?.value).toBe('')
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const at of [one, two]) expect((await me(token, at)).body.message).toBe('session_expired')
    // Without a session it is no error.
    expect((await send('POST', '/users/logout')).status).toBe(200)
  })

  test('a person sees and ends the own sessions, not those of others', async () => {
    await person('a@x.example')
    await person('b@x.example')
    const [first, second, other] = [
      await signIn('a@x.example'),
      await signIn('a@x.example'),
      await signIn('b@x.example'),
    ]
    const list = (await send('GET', '/users/sessions', { token: first })).body.data
    expect(list).toHaveLength(2)
    expect(list.filter((s: { current: boolean }) => s.current)).toHaveLength(1)
    const away = list.find((s: { current: boolean }) => !s.current).id
    expect((await send('DELETE', `/users/sessions/${away}`, { token: other })).status).toBe(404)
    expect((await send('DELETE', `/users/sessions/${away}`, { token: first })).body).toEqual({ id: away })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await me(second, two)).status).toBe(401)
    expect((await me(first, two)).status).toBe(200)
  })

  test('three hours without use end it, twenty-four hours in any case', async () => {
    await person('a@x.example')
    const [idle, old, good] = [await signIn('a@x.example'), await signIn('a@x.example'), await signIn('a@x.example')]
    const change = (token: string, set: string) =>
      database.pool.query(`update sessions set ${set} where token_hash = sha256(convert_to($1, 'UTF8'))`, [token])
    await change(idle, `last_used_at = now() - interval '3 hours 1 second'`)
    await change(old, `expires_at = now() - interval '1 second'`)
    await change(good, `last_used_at = now() - interval '2 hours 59 minutes'`)
    expect((await me(idle)).body.message).toBe('session_expired')
    expect((await me(old)).body.message).toBe('session_expired')
    expect((await me(good)).status).toBe(200)
  })

  test('use is written down, what a browser asks by itself is none', async () => {
    await person('a@x.example')
    const [used, open] = [await signIn('a@x.example'), await signIn('a@x.example')]
    await database.pool.query(`update sessions set last_used_at = now() - interval '2 hours'`)
    await me(used)
    expect((await send('GET', '/users/live-data', { token: open })).status).toBe(200)
    await two.auth.stop()
    for (let i = 0; i < 700; i++) {
      const { rows } = await database.pool.query(
        `select count(*)::int as n from sessions where last_used_at > now() - interval '1 minute'`,
      )
      if (rows[0].n > 0) break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const { rows } = await database.pool.query(
      `select token_hash = sha256(convert_to($1, 'UTF8')) as used from sessions where last_used_at > now() - interval '1 minute'`,
      [used],
    )
    expect(rows).toEqual([{ used: true }])
  })

  test('blocking a person and taking rights work at once in every process', async () => {
    const id = await person('a@x.example', { roles: ['registrar'] })
    const token = await signIn('a@x.example')
    const permissions = async (at: University) =>
      (await send('GET', '/users/live-data', { token, at })).body.data.permissions as string[]
    expect(await permissions(one)).toContain('edit_students')
    expect(await permissions(two)).toContain('edit_students')
    await database.pool.query('delete from role_assignments where user_id = $1', [id])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await permissions(one)).toEqual([])
    await database.pool.query('update users set blocked_at = now() where id = $1', [id])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await me(token, one)).status).toBe(401)
  })

  test('a known session costs microseconds', async () => {
    await person('a@x.example', { roles: ['registrar'] })
    const token = await signIn('a@x.example')
    const asking = { headers: { authorization: `Bearer ${token}` } }
    await one.auth.authenticate(asking)
    const start = performance.now()
    for (let i = 0; i < 5000; i++) await one.auth.authenticate(asking)
    expect((performance.now() - start) / 5000).toBeLessThan(0.2)
  })

  test('forged and broken tokens are nobody', async () => {
    for (const token of ['x', 'x'.repeat(43), 'é'.repeat(43), '../../../..']) {
      expect((await send('GET', '/users/profile', { cookie: `__Host-session=${token}` })).status).toBe(401)
    }
  })
})

describe('live data', () => {
  test('tells person, rights and unread notifications', async () => {
    const id = await person('a@x.example', { is_super_admin: true })
    await database.pool.query(
      `insert into notifications (user_id, key, read_at) values ($1, 'x', null), ($1, 'y', null), ($1, 'z', now())`,
      [id],
    )
    const { body } = await send('GET', '/users/live-data', { token: await signIn('a@x.example') })
    expect(body.data).toMatchObject({
      user: { id, is_super_admin: true },
      chat_notification_count: 0,
      notification_count: 2,
      impersonation: null,
      read_only: false,
    })
    expect(body.data.permissions).toContain('assign_super_admin')
  })

  test('in read-only mode one can sign in and out but not change a password', async () => {
    await person('a@x.example')
    await database.pool.query(`insert into settings (key, value) values ('read_only', 'true')`)
    await new Promise((resolve) => setTimeout(resolve, 2100))
    const token = await signIn('a@x.example')
    const change = await send('POST', '/users/reset-password', {
      token,
      body: { current_password: PASSWORD, password: 'four loud mountains' },
    })
    expect([change.status, change.body.message]).toEqual([403, 'you are in readonly mode'])
    expect((await send('GET', '/users/live-data', { token })).body.data.read_only).toBe(true)
    expect((await send('POST', '/users/logout', { token })).status).toBe(200)
    await database.pool.query(`delete from settings`)
    await new Promise((resolve) => setTimeout(resolve, 2100))
  })
})

describe('passwords', () => {
  test('forgotten: a link by mail works once and ends every session', async () => {
    await person('a@x.example')
    const token = await signIn('a@x.example')
    const before = (await mails()).length
    expect((await send('POST', '/users/reset-password', { body: { email: 'a@x.example' } })).body).toEqual({
      data: { step: 'sent' },
    })
    const mail = await mailAfter(before)
    expect(mail).toContain('To: a@x.example')
    expect(mail).toContain('ليلى فؤاد')
    const link = /https:\/\/ems\.example\/pages\/authentication\/reset-password-v1\?token=(\S+)/.exec(mail)![1]!
    const stored = await database.pool.query('select * from password_resets')
    expect(JSON.stringify(stored.rows)).not.toContain(link)
    expect(JSON.stringify((await database.pool.query('select * from pgboss.job')).rows)).not.toContain(link)

    const weak = await send('POST', '/users/reset-password', { body: { token: link, password: 'LaylaFouad2005' } })
    expect([weak.status, weak.body.errors[0]]).toMatchObject([422, { field: 'password', code: 'password_breached' }])
    const set = () => send('POST', '/users/reset-password', { body: { token: link, password: 'four loud mountains' } })
    expect((await set()).body).toEqual({ data: { step: 'changed' } })
    expect((await set()).body.message).toBe('link_not_valid')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await me(token, two)).status).toBe(401)
    expect((await send('POST', '/login', { body: { email: 'a@x.example', password: PASSWORD } })).status).toBe(401)
    expect(
      (await send('POST', '/login', { body: { email: 'a@x.example', password: 'four loud mountains' } })).status,
    ).toBe(200)
    const { rows } = await database.pool.query(
      `select reason, new from audit_log where table_name = 'users' and action = 'update'`,
    )
    expect(rows).toEqual([{ reason: 'password set by link', new: { password_hash: '•••' } }])
  })

  test('a link that is used twice at the same moment sets one password', async () => {
    await person('a@x.example')
    const before = (await mails()).length
    await send('POST', '/users/reset-password', { body: { email: 'a@x.example' } })
    const link = /token=(\S+)/.exec(await mailAfter(before))![1]!
    const words = ['four loud mountains', 'five quiet rivers', 'six green lanterns']
    const set = await Promise.all(
      words.map((password) => send('POST', '/users/reset-password', { body: { token: link, password } })),
    )
    expect(set.map((one) => one.status).toSorted()).toEqual([200, 409, 409])
    const password = words[set.findIndex((one) => one.status === 200)]
    expect((await send('POST', '/login', { body: { email: 'a@x.example', password } })).status).toBe(200)
  })

  test('passwords that will not do use up no attempts of a valid link', async () => {
    const id = await person('a@x.example')
    const before = (await mails()).length
    await send('POST', '/users/reset-password', { body: { email: 'a@x.example' } })
    const link = /token=(\S+)/.exec(await mailAfter(before))![1]!
    const set = (password: string) => send('POST', '/users/reset-password', { body: { token: link, password } })
    for (let i = 0; i < 12; i++) expect((await set(`short ${i}`)).body.errors[0].code).toBe('password_too_short')
    const done = await set('four loud mountains')
    expect(done.body).toEqual({ data: { step: 'changed' } })
    // From here, where the person's mail is read, signing in waits for no stranger.
    await database.pool.query(
      `insert into login_attempts (key, failures, last_failed_at, blocked_until)
       select key, 99, now(), now() + interval '10 minutes' from login_attempts
       on conflict (key) do update set failures = 99, blocked_until = excluded.blocked_until`,
    )
    const jar = { '__Host-device': done.cookies['__Host-device']!.value }
    expect((await browse(jar, 'a@x.example', { password: 'four loud mountains' })).body.data.user.id).toBe(id)
  })

  test('a new password ends the trust in browsers the old one was used in', async () => {
    await person('a@x.example')
    const [thief, own]: Record<string, string>[] = [{}, {}]
    await browse(thief!, 'a@x.example', { ip: '10.6.6.6' })
    await browse(own!, 'a@x.example', { ip: '10.1.1.1' })
    const answer = await send('POST', '/users/reset-password', {
      cookie: cookiesOf(own!),
      body: { current_password: PASSWORD, password: 'four loud mountains' },
    })
    expect(answer.status).toBe(200)
    const { rows } = await database.pool.query('select host(ip) as ip from known_devices')
    expect(rows).toEqual([{ ip: '10.1.1.1' }])
  })

  test('a link too old, and one that was asked for an unknown account', async () => {
    const id = await person('a@x.example')
    const before = (await mails()).length
    expect((await send('POST', '/users/reset-password', { body: { email: 'nobody@x.example' } })).body).toEqual({
      data: { step: 'sent' },
    })
    await send('POST', '/users/reset-password', { body: { email: 'a@x.example' } })
    const mail = await mailAfter(before)
    expect(mail).toContain('To: a@x.example')
    await database.pool.query(`update password_resets set expires_at = now() where user_id = $1`, [id])
    const answer = await send('POST', '/users/reset-password', {
      body: { token: /token=(\S+)/.exec(mail)![1], password: 'four loud mountains' },
    })
    expect([answer.status, answer.body.message]).toEqual([409, 'link_not_valid'])
  })

  test('an own change needs the current password and keeps this session only', async () => {
    await person('a@x.example')
    const [here, elsewhere] = [await signIn('a@x.example'), await signIn('a@x.example')]
    const change = (current_password: string) =>
      send('POST', '/users/reset-password', {
        token: here,
        body: { current_password, password: 'four loud mountains' },
      })
    expect((await change('not this')).body.errors[0]).toMatchObject({
      field: 'current_password',
      code: 'current_password_wrong',
    })
    expect((await change(PASSWORD)).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([(await me(here)).status, (await me(elsewhere)).status]).toEqual([200, 401])
  })

  test('staff have a link sent, but not to somebody above them', async () => {
    await person('admin@x.example', { roles: ['admin'] })
    await person('plain@x.example')
    const [student, root] = [
      await person('s@x.example', { type: 3 }),
      await person('root@x.example', { is_root: true }),
    ]
    const token = await signIn('admin@x.example')
    const ask = (user_id: number, by = token) => send('POST', '/users/reset-password', { token: by, body: { user_id } })
    const before = (await mails()).length
    expect((await ask(student)).body).toEqual({ data: { step: 'sent' } })
    expect(await mailAfter(before)).toContain('To: s@x.example')
    expect((await ask(root)).body.message).toBe('person_has_more_rights')
    await database.pool.query('update users set email = null where id = $1', [student])
    const nowhere = await ask(student)
    expect([nowhere.status, nowhere.body.message]).toEqual([409, 'no_email'])
    expect((await ask(student, await signIn('plain@x.example'))).status).toBe(403)
    expect((await send('POST', '/users/reset-password', { body: { user_id: student } })).status).toBe(401)
  })
})

describe('logging in as another person', () => {
  test('shows a banner, may only look, stands in the audit trail, and leads back', async () => {
    const [support, other] = [
      await person('support@x.example', { roles: ['registrar'] }),
      await person('clerk@x.example'),
    ]
    await database.pool.query(`insert into user_permissions (user_id, permission) values ($1, 'login_as_user')`, [
      support,
    ])
    const own = await signIn('support@x.example')
    const as = await send('POST', '/login-as-user', { token: own, body: { user_id: other } })
    expect(as.body.data.user.id).toBe(other)
    const token = as.body.data.token
    const live = (await send('GET', '/users/live-data', { token })).body.data
    expect(live.impersonation).toEqual({
      by: { id: support, name: 'Layla Fouad', name_local: 'ليلى فؤاد' },
      read_only: true,
      until: null,
    })
    const { rows } = await database.pool.query('select count(*)::int as n from last_logins where user_id = $1', [other])
    expect(rows[0].n).toBe(0)
    // Only looking: also what belongs to the person's own sessions.
    const sessions = (await send('GET', '/users/sessions', { token })).body.data
    expect(sessions).toMatchObject([{ impersonator: 'Layla Fouad', current: true }])
    expect((await send('DELETE', `/users/sessions/${sessions[0].id}`, { token })).body.message).toBe(
      'you are in readonly mode',
    )
    expect(
      (
        await send('POST', '/users/reset-password', {
          token,
          body: { current_password: PASSWORD, password: 'four loud mountains' },
        })
      ).status,
    ).toBe(403)
    const back = await send('POST', '/users/logout', { token })
    expect(back.body.data.user.id).toBe(support)
    expect((await me(back.body.data.token)).body.data.id).toBe(support)
    expect((await send('GET', '/users/live-data', { token: back.body.data.token })).body.data.impersonation).toBeNull()
  })

  test('and back makes no day longer: the session ends when the own one would have, also while one is the other', async () => {
    const [support, other] = [
      await person('support@x.example', { roles: ['registrar'] }),
      await person('clerk@x.example'),
    ]
    await database.pool.query(`insert into user_permissions (user_id, permission) values ($1, 'login_as_user')`, [
      support,
    ])
    let token = await signIn('support@x.example')
    const left = async () =>
      (
        await database.pool.query(
          `select (extract(epoch from max(expires_at) - now()) / 60)::int as minutes from sessions where user_id = any($1)`,
          [[support, other]],
        )
      ).rows[0].minutes
    await database.pool.query(`update sessions set expires_at = now() + interval '20 minutes' where user_id = $1`, [
      support,
    ])
    for (let i = 0; i < 3; i++) {
      await database.pool.query('update sessions set confirmed_at = now()')
      const as = await send('POST', '/login-as-user', { token, body: { user_id: other } })
      expect(await left()).toBe(20)
      token = (await send('POST', '/users/logout', { token: as.body.data.token })).body.data.token
      expect((await me(token)).body.data.id).toBe(support)
      expect(await left()).toBe(20)
    }
  })

  test('changes something only where both the right and the wish are there', async () => {
    const [support, clerk] = [
      await person('support@x.example', { roles: ['registrar'] }),
      await person('clerk@x.example'),
    ]
    await database.pool.query(`insert into user_permissions (user_id, permission) values ($1, 'login_as_user')`, [
      support,
    ])
    const token = await signIn('support@x.example')
    const as = (change: boolean) => send('POST', '/login-as-user', { token, body: { user_id: clerk, change } })
    const [refused] = [await as(true)]
    expect([refused.status, refused.body.message]).toEqual([403, 'not_allowed'])
    await database.pool.query(`insert into user_permissions (user_id, permission) values ($1, 'change_as_other')`, [
      support,
    ])
    const readOnly = async (change: boolean) => {
      const inside = (await as(change)).body.data.token
      return (await send('GET', '/users/live-data', { token: inside })).body.data.impersonation.read_only
    }
    // Who may change looks only, unless it is asked for.
    await expect.poll(() => readOnly(true)).toBe(false)
    expect(await readOnly(false)).toBe(true)
    const { rows } = await database.pool.query(
      `select data->'change' as change from security_log where kind = 'log_in_as' and subject_id = $1 order by id`,
      [clerk],
    )
    expect(rows.at(-2)).toEqual({ change: true })
    expect(rows.at(-1)).toEqual({ change: false })
    // Whoever changes things as another one changes nothing of the person's own account, nor ends the person's sessions.
    const theirs = await signIn('clerk@x.example')
    const inside = (await as(true)).body.data.token
    const sessions = (await send('GET', '/users/sessions', { token: theirs })).body.data
    const own = sessions.find((s: { current: boolean }) => s.current).id
    for (const [method, path, body] of [
      ['PUT', '/users/profile', { language: 'ar' }],
      ['POST', '/users/reset-password', { current_password: PASSWORD, password: 'four loud mountains' }],
      ['DELETE', `/users/sessions/${own}`, undefined],
    ] as const) {
      const answer = await send(method, path, { token: inside, body })
      expect([path, answer.status, answer.body.message]).toEqual([path, 403, 'not_allowed'])
    }
    expect((await me(theirs)).status).toBe(200)
    expect((await me(theirs)).body.data.language).not.toBe('ar')
    expect(await signIn('clerk@x.example')).toBeTruthy()
  })

  test('never towards somebody with more rights, out of such a session, or without the permission', async () => {
    const [support, root, admin, clerk] = [
      await person('support@x.example', { roles: ['registrar'] }),
      await person('root@x.example', { is_root: true }),
      await person('admin@x.example', { roles: ['admin'] }),
      await person('clerk@x.example'),
    ]
    await database.pool.query(`insert into user_permissions (user_id, permission) values ($1, 'login_as_user')`, [
      support,
    ])
    const token = await signIn('support@x.example')
    const as = (user_id: number, by = token) => send('POST', '/login-as-user', { token: by, body: { user_id } })
    expect((await as(root)).body.message).toBe('person_has_more_rights')
    expect((await as(admin)).body.message).toBe('person_has_more_rights')
    expect((await as(support)).status).toBe(404)
    expect((await as(clerk, await signIn('clerk@x.example'))).status).toBe(403)
    const inside = await as(clerk)
    expect(inside.status).toBe(200)
    // The clerk may not log in as anybody, and so may not who sits there as the clerk.
    expect((await as(clerk, inside.body.data.token)).status).toBe(403)
    // Nobody enters a blocked account.
    const gone = await person('gone@x.example')
    await database.pool.query('update users set blocked_at = now() where id = $1', [gone])
    const closed = await as(gone)
    expect([closed.status, closed.body.message]).toEqual([409, 'account_blocked'])
    // When the impersonator is blocked, so is the session.
    await database.pool.query('update users set blocked_at = now() where id = $1', [support])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await me(inside.body.data.token)).status).toBe(401)
  })
})

describe('proof of who sits there', () => {
  /** As if the person had signed in long ago. */
  const old = () => database.pool.query(`update sessions set confirmed_at = now() - interval '15 minutes 1 second'`)

  test('is asked for again before sensitive acts, once in a quarter of an hour', async () => {
    const [admin, clerk] = [await person('admin@x.example', { is_super_admin: true }), await person('clerk@x.example')]
    const token = await signIn('admin@x.example')
    const as = (at = one) => send('POST', '/login-as-user', { token, body: { user_id: clerk }, at })
    expect((await as()).status).toBe(200)
    await old()
    const acts = [
      await as(),
      await send('POST', '/users/reset-password', { token, body: { user_id: clerk } }),
      await send('DELETE', `/people/user/${clerk}/sessions`, { token }),
    ]
    for (const act of acts) expect([act.status, act.body.message]).toEqual([403, 'password_again'])
    // What is not sensitive goes on.
    expect((await me(token)).status).toBe(200)
    const prove = (password: string) => send('POST', '/users/confirm-password', { token, body: { password } })
    expect((await prove('not this')).body.errors[0]).toMatchObject({
      field: 'password',
      code: 'current_password_wrong',
    })
    expect((await as()).status).toBe(403)
    expect((await prove(PASSWORD)).status).toBe(200)
    // At once, in every process.
    for (const at of [one, two]) expect((await as(at)).status).toBe(200)
    expect(admin).not.toBe(clerk)
  })

  test('cannot be guessed with a session that was found open', async () => {
    await person('admin@x.example', { is_super_admin: true })
    const token = await signIn('admin@x.example')
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        send('POST', '/users/confirm-password', { token, body: { password: `guess ${i}` }, at: i % 2 ? one : two }),
      ),
    )
    expect(guesses.map((g) => g.status).filter((status) => status !== 429)).toHaveLength(5)
    // Whoever is outside is not kept out by that.
    expect((await send('POST', '/login', { body: { email: 'admin@x.example', password: PASSWORD } })).status).toBe(200)
  })

  test('comes from who really sits there, and by signing in where there is no password', async () => {
    const [admin, clerk] = [
      await person('admin@x.example', { is_super_admin: true }),
      await person('clerk@x.example', { is_super_admin: true }),
    ]
    await database.pool.query(`update users set password_hash = null where id = $1`, [clerk])
    const token = (
      await send('POST', '/login-as-user', {
        token: await signIn('admin@x.example'),
        body: { user_id: clerk, change: true },
      })
    ).body.data.token
    const end = (by: string) => send('DELETE', `/people/user/${admin}/sessions`, { token: by })
    expect((await end(token)).body.message).toBe('password_again')
    expect((await send('POST', '/users/confirm-password', { token, body: { password: PASSWORD } })).status).toBe(200)
    // Who acts as somebody goes no further as somebody else from there, with whatever proof.
    const third = await person('third@x.example')
    const further = await send('POST', '/login-as-user', { token, body: { user_id: third } })
    expect([further.status, further.body.message]).toEqual([409, 'already_as_other'])
    const link = await database.db.transaction().execute((tx) => createLoginToken(tx, clerk, null))
    const own = (await send('POST', '/login-with-token', { body: { token: link } })).body.data.token
    await old()
    expect((await end(own)).body.message).toBe('sign_in_again')
  })
})

describe('sessions of others', () => {
  test('are seen and ended by who may, at once, with those logged in as the person', async () => {
    const [admin, clerk] = [await person('admin@x.example', { roles: ['admin'] }), await person('clerk@x.example')]
    const root = await person('root@x.example', { is_root: true })
    const token = await signIn('admin@x.example')
    const [desk, phone] = [await signIn('clerk@x.example'), await signIn('clerk@x.example')]
    const as = (await send('POST', '/login-as-user', { token, body: { user_id: clerk } })).body.data.token
    const list = await send('GET', `/people/user/${clerk}/sessions`, { token })
    expect(list.body.data).toHaveLength(3)
    const end = (id: number, by = token) => send('DELETE', `/people/user/${id}/sessions`, { token: by })
    expect((await end(admin, desk)).body.message).toBe('delete_not_allowed')
    expect((await send('GET', `/people/user/${admin}/sessions`, { token: desk })).status).toBe(403)
    expect((await end(root)).body.message).toBe('person_has_more_rights')
    expect((await end(admin)).body.message).toBe('own_sessions')
    expect((await end(2_000_000_000)).status).toBe(404)
    // A right for one faculty reaches nobody who belongs to none.
    const local = await person('local@x.example')
    await database.pool.query(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id) select $1, id, 'faculty', 1 from roles where key = 'admin'`,
      [local],
    )
    const there = await signIn('local@x.example')
    const out = (user_id: number) => [
      end(user_id, there),
      send('POST', '/login-as-user', { token: there, body: { user_id } }),
      send('POST', '/users/reset-password', { token: there, body: { user_id } }),
    ]
    for (const answer of await Promise.all(out(clerk))) expect(answer.status).toBe(404)
    // Who belongs there is reached.
    const neighbour = await person('near@x.example')
    await database.pool.query(
      `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, 'access_offering', 'faculty', 1)`,
      [neighbour],
    )
    await database.pool.query(
      `insert into faculties (id, code, name, name_local) overriding system value values (1, 'F1', 'Near', 'قريبة') on conflict do nothing`,
    )
    for (const answer of await Promise.all(out(neighbour))) expect(answer.status).toBe(200)
    expect((await end(clerk)).body).toEqual({ ended: 3 })
    expect((await end(clerk)).body).toEqual({ ended: 0 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const ended of [desk, phone, as]) expect((await me(ended, two)).status).toBe(401)
    expect((await me(token)).status).toBe(200)
  })
})

describe('files', () => {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer << >>\n%%EOF\n')
  const upload = async (token: string, name: string, content: Buffer): Promise<Answer> => {
    const form = new FormData()
    form.append('photo', new Blob([new Uint8Array(content)]), name)
    const request = new Request('http://x', { method: 'POST', body: form })
    return send('POST', '/files', {
      token,
      body: Buffer.from(await request.arrayBuffer()),
      headers: { 'content-type': request.headers.get('content-type')! },
    })
  }

  test('are kept once, found by the address their reader was given, and by nobody else', async () => {
    const [a, b] = [await person('a@x.example'), await person('b@x.example')]
    const [mine, theirs] = [await signIn('a@x.example'), await signIn('b@x.example')]
    const sent = await upload(mine, 'تقرير نهائي.pdf', pdf)
    expect(sent.body.data).toMatchObject({ name: 'تقرير نهائي.pdf', size: pdf.length, mime: 'application/pdf' })
    const { id, url } = sent.body.data
    const open = (address: string, token?: string) => send('GET', address.replace('/api', ''), token ? { token } : {})
    const got = await open(url, mine)
    expect([got.status, Buffer.compare(got.body, pdf)]).toEqual([200, 0])
    expect(got.headers['content-disposition']).toMatch(/^attachment; filename="[^"]*\.pdf"; filename\*=UTF-8''%D8/)
    expect((await open(url, theirs)).status).toBe(404)
    expect((await open(url)).status).toBe(404)
    // The own file also without a token; another's only with a token for oneself.
    expect((await open(`/api/files/${id}/x.pdf`, mine)).status).toBe(200)
    expect((await open(`/api/files/${id}/x.pdf`, theirs)).status).toBe(404)
    const { files } = one.services
    expect((await open(files.link({ id, name: 'x.pdf' }, { user_id: b }), theirs)).status).toBe(200)
    expect((await open(files.link({ id, name: 'x.pdf' }, 'everybody'))).status).toBe(200)
    expect(
      (
        await open(
          files.link({ id: id + 1, name: 'x.pdf' }, { user_id: b }).replace(String(id + 1), String(id)),
          theirs,
        )
      ).status,
    ).toBe(404)
    // Another process signs with the same key.
    expect(
      (
        await send('GET', two.services.files.link({ id, name: 'x.pdf' }, { user_id: b }).replace('/api', ''), {
          token: theirs,
        })
      ).status,
    ).toBe(200)
    await upload(theirs, 'same.pdf', pdf)
    const { rows } = await database.pool.query(
      'select count(distinct hash)::int as hashes, count(*)::int as files from files',
    )
    expect(rows[0]).toEqual({ hashes: 1, files: 2 })
    expect(a).not.toBe(b)
  })

  test('of a wrong kind under a right name are refused, and so are none and large ones', async () => {
    await person('a@x.example')
    const token = await signIn('a@x.example')
    for (const [name, content] of [
      ['marks.pdf', Buffer.from('<html><script>alert(1)</script></html>')],
      ['photo.png', Buffer.from('MZ\u0090\u0000\u0003')],
      ['list.csv', Buffer.from('<svg onload=alert(1)>')],
    ] as const) {
      const answer = await upload(token, name, content)
      expect([name, answer.status, answer.body.errors[0].code]).toEqual([name, 422, 'file_type_error'])
    }
    expect((await send('POST', '/files', { token, body: {} })).body.errors[0].code).toBe('file_missing')
    const large = await upload(token, 'large.pdf', Buffer.concat([pdf, Buffer.alloc(30_000_001)]))
    expect([large.status, large.body.errors[0].code]).toEqual([422, 'file_too_large'])
    expect((await database.pool.query('select from files')).rowCount).toBe(0)
  })
})
