import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PASSWORD, openSignIn } from '#tests/sign-in-world.ts'
import type { SignInWorld } from '#tests/sign-in-world.ts'
import { createLoginToken } from '../sign-in/sign-in.server.ts'
import { totpCodeOf, totpStepAt } from './totp.server.ts'

let w: SignInWorld
beforeAll(async () => {
  w = await openSignIn({ SECRETS_KEY: 'known to the installation and not to its database' })
})
afterAll(() => w.close())
beforeEach(() => w.empty())

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** What an app does with the key: bytes of it. */
function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2)))
}
/** What the app shows, `off` half minutes from now. */
const appCode = (secret: string, off = 0): string => totpCodeOf(bytesOf(secret), totpStepAt(Date.now() / 1000) + off)
const codesOf = (answer: { body: any }) => [answer.body.message, answer.body.errors?.[0]?.data]

interface Enrolled {
  readonly id: number
  readonly token: string
  readonly secret: string
  readonly recovery: string[]
}
/** Somebody who has set up an app, by the code before the present one: the present one is still to be used. */
async function enrolled(email: string, fields: Parameters<SignInWorld['person']>[1] = {}): Promise<Enrolled> {
  const id = await w.person(email, fields)
  const { body } = await w.password(email)
  const { token } = body.data
  const { secret } = (await w.send('POST', '/users/second-factor/setup', { token })).body.data
  const done = await w.send('POST', '/users/second-factor/confirm', { token, body: { code: appCode(secret, -1) } })
  expect(done.status).toBe(200)
  return { id, token, secret, recovery: done.body.data.recovery_codes }
}
const ticketOf = async (email: string): Promise<string> => (await w.password(email)).body.data.second_factor.ticket
const prove = (ticket: string, shown: { code: string } | { recovery_code: string }, at = w.one) =>
  w.send('POST', '/login/second-factor', { body: { ticket, ...shown }, at })
const demand = (role: string) => w.database.pool.query('update roles set second_factor = true where key = $1', [role])
const rowOf = async (text: string, values: unknown[]) => (await w.database.pool.query(text, values)).rows[0]

describe('a second factor at sign-in', () => {
  test('is set up, asked for after the password, and shown by a code of the app', async () => {
    const { id, secret, token } = await enrolled('a@x.example')
    const first = await w.password('a@x.example')
    expect([first.status, Object.keys(first.body.data), Object.keys(first.cookies)]).toEqual([
      200,
      ['second_factor'],
      [],
    ])
    expect(first.body.data.second_factor.step).toBe('prove')
    const { ticket } = first.body.data.second_factor
    const done = await prove(ticket, { code: appCode(secret) }, w.two)
    expect([done.status, done.body.data.user.id, Object.keys(done.cookies)]).toEqual([
      200,
      id,
      expect.arrayContaining(['__Host-session', 'user']),
    ])
    const sessions = await w.send('GET', '/users/sessions', { token: done.body.data.token })
    expect(sessions.body.data.map((s: any) => [s.signed_in_by, s.second_factor])).toEqual([
      ['password', 'code'],
      ['password', null],
    ])
    const state = await w.send('GET', '/users/second-factor', { token })
    expect(state.body.data).toMatchObject({ since: expect.any(String), recovery_codes_left: 10, required: false })
  })

  test('the secret is kept sealed, with a key that is not in the database; recovery codes are digests', async () => {
    const { id, secret, recovery } = await enrolled('a@x.example')
    const { secret: kept } = await rowOf('select secret from totp_secrets where user_id = $1', [id])
    expect(kept.includes(bytesOf(secret))).toBe(false)
    const rows = JSON.stringify((await w.database.pool.query('select * from recovery_codes')).rows)
    for (const code of recovery) expect(rows).not.toContain(code.replace('-', ''))
    // What is sealed about one opens nothing as another's.
    const other = await enrolled('b@x.example')
    await w.database.pool.query('update totp_secrets set secret = $2 where user_id = $1', [other.id, kept])
    expect((await prove(await ticketOf('b@x.example'), { code: appCode(secret) })).status).toBe(500)
    // Nothing of it stands in the trail.
    const { rows: trail } = await w.database.pool.query(
      `select new from audit_log where table_name = 'users' and record_id = $1 and new ? 'second_factor_at'`,
      [id],
    )
    expect(trail).toHaveLength(1)
  })

  test('what is shown and not proved does not count', async () => {
    await w.person('a@x.example')
    const { token } = (await w.password('a@x.example')).body.data
    const confirm = (code: string) => w.send('POST', '/users/second-factor/confirm', { token, body: { code } })
    expect(codesOf(await confirm('123456'))[0]).toBe('second_factor_setup_first')
    const { secret, qr, address } = (await w.send('POST', '/users/second-factor/setup', { token })).body.data
    expect([qr.path.startsWith('M'), address]).toEqual([true, expect.stringContaining(`secret=${secret}`)])
    expect((await w.password('a@x.example')).body.data.token).toBeTruthy()
    const wrong = appCode(secret) === '000000' ? '111111' : '000000'
    expect(codesOf(await confirm(wrong))[0]).toBe('code_wrong')
    expect((await w.password('a@x.example')).body.data.token).toBeTruthy()
    // Another phone: the codes of the old one are taken until the new one is proved.
    expect((await confirm(appCode(secret, -1))).status).toBe(200)
    const next = (await w.send('POST', '/users/second-factor/setup', { token })).body.data.secret
    expect((await prove(await ticketOf('a@x.example'), { code: appCode(secret) })).status).toBe(200)
    expect((await confirm(appCode(next, -1))).status).toBe(200)
    expect(codesOf(await prove(await ticketOf('a@x.example'), { code: appCode(secret, 1) }))[0]).toBe('code_wrong')
    expect((await prove(await ticketOf('a@x.example'), { code: appCode(next) })).status).toBe(200)
  })

  test('a code works once, also when two processes are given it at the same moment', async () => {
    const { id, secret } = await enrolled('a@x.example')
    const tickets = await Promise.all([ticketOf('a@x.example'), ticketOf('a@x.example')])
    const code = appCode(secret)
    // Both have judged the code before either takes it: what they write waits here.
    const holder = await w.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from totp_secrets where user_id = $1 for update', [id])
    const sent = Promise.all([prove(tickets[0], { code }, w.one), prove(tickets[1], { code }, w.two)])
    await vi.waitFor(async () => {
      const { count } = await rowOf(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      )
      expect(count).toBe(2)
    })
    await holder.query('commit')
    holder.release()
    const answers = await sent
    expect(answers.map((a) => a.status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(codesOf(answers.find((a) => a.status === 403)!)[0]).toBe('code_used')
    expect(codesOf(await prove(await ticketOf('a@x.example'), { code }))[0]).toBe('code_used')
  })

  test('one step of clock difference is allowed; two minutes are refused with words', async () => {
    const { secret } = await enrolled('a@x.example')
    const ticket = await ticketOf('a@x.example')
    expect(codesOf(await prove(ticket, { code: appCode(secret, 4) }))).toEqual(['code_clock', { minutes: 2 }])
    expect(codesOf(await prove(ticket, { code: appCode(secret, -4) }))).toEqual(['code_clock', { minutes: 2 }])
    expect((await prove(ticket, { code: appCode(secret, 1) })).status).toBe(200)
  })

  test('a recovery code works once, in one process, and the person is told what is left', async () => {
    const { id, recovery } = await enrolled('a@x.example')
    const tickets = await Promise.all([ticketOf('a@x.example'), ticketOf('a@x.example')])
    const shown = { recovery_code: recovery[3]!.toUpperCase().replace('-', ' ') }
    const answers = await Promise.all([prove(tickets[0], shown, w.one), prove(tickets[1], shown, w.two)])
    expect(answers.map((a) => a.status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(codesOf(answers.find((a) => a.status === 403)!)[0]).toBe('recovery_code_wrong')
    const told = await rowOf(
      `select data from notifications where user_id = $1 and key = 'access-and-people.notice_recovery_code_used'`,
      [id],
    )
    expect(told.data).toEqual({ left: 9 })
    const { by } = await rowOf('select second_factor as by from sessions where user_id = $1 order by created_at desc', [
      id,
    ])
    expect(by).toBe('recovery_code')
    // A ticket that is over costs no code.
    const spent = answers[0]!.status === 200 ? tickets[0] : tickets[1]
    expect(codesOf(await prove(spent, { recovery_code: recovery[4]! }))[0]).toBe('sign_in_step_over')
    expect((await prove(await ticketOf('a@x.example'), { recovery_code: recovery[4]! })).status).toBe(200)
  })

  test('new recovery codes end the old ones', async () => {
    const { token, recovery } = await enrolled('a@x.example')
    const { body } = await w.send('POST', '/users/second-factor/recovery-codes', { token })
    expect(body.data.recovery_codes).toHaveLength(10)
    const ticket = await ticketOf('a@x.example')
    expect(codesOf(await prove(ticket, { recovery_code: recovery[0]! }))[0]).toBe('recovery_code_wrong')
    expect((await prove(ticket, { recovery_code: body.data.recovery_codes[0] })).status).toBe(200)
  })

  test('guessing codes is slowed, over all tickets and processes, and written down', async () => {
    const { id, secret } = await enrolled('a@x.example')
    for (let i = 0; i < 5; i++) {
      const at = i % 2 ? w.one : w.two
      const guess = appCode(secret) === `00000${i}` ? '999999' : `00000${i}`
      expect((await prove(await ticketOf('a@x.example'), { code: guess }, at)).status).toBe(403)
    }
    const slowed = await prove(await ticketOf('a@x.example'), { code: appCode(secret) })
    expect([slowed.status, slowed.body.message]).toEqual([429, 'too_many_requests'])
    const { count } = await rowOf(
      `select count(*)::int from security_log where kind = 'sign_in_failed' and subject_id = $1 and data ->> 'reason' = 'code_wrong'`,
      [id],
    )
    expect(count).toBe(5)
    await w.database.pool.query(`update login_attempts set blocked_until = now() - interval '1 second'`)
    expect((await prove(await ticketOf('a@x.example'), { code: appCode(secret) })).status).toBe(200)
  })

  test('a ticket is worth nothing by itself, once, for some minutes, and not after the password was changed', async () => {
    const { id, secret, token } = await enrolled('a@x.example')
    const code = () => ({ code: appCode(secret) })
    const over = async (ticket: string) => codesOf(await prove(ticket, code()))[0]
    expect(await over('made-up')).toBe('sign_in_step_over')
    const ticket = await ticketOf('a@x.example')
    expect((await w.send('GET', '/users/profile', { token: ticket })).status).toBe(401)
    await w.database.pool.query(`update sign_in_steps set expires_at = now() - interval '1 second'`)
    expect(await over(ticket)).toBe('sign_in_step_over')
    // It cost no code.
    expect((await prove(await ticketOf('a@x.example'), code())).status).toBe(200)
    const before = await ticketOf('a@x.example')
    const changed = await w.send('POST', '/users/reset-password', {
      token,
      body: { current_password: PASSWORD, password: 'seven green harbours' },
    })
    expect(changed.status).toBe(200)
    expect(await over(before)).toBe('sign_in_step_over')
    await w.database.pool.query('update users set blocked_at = now() where id = $1', [id])
    const { rows } = await w.database.pool.query(
      `insert into sign_in_steps (ticket_hash, user_id, signed_in_by, expires_at)
       values (sha256('held'), $1, 'password', now() + interval '1 minute') returning 1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(codesOf(await prove('held', code()))[0]).toBe('account_blocked')
    await w.database.pool.query('update users set blocked_at = null, removed_at = now() where id = $1', [id])
    expect(await over('held')).toBe('sign_in_step_over')
  })

  test('a one-time link asks for the code as well, unless the university leaves that out', async () => {
    const { id, secret } = await enrolled('a@x.example')
    const link = async () => {
      const token = await w.database.db.transaction().execute((tx) => createLoginToken(tx, id, null))
      return w.send('POST', '/login-with-token', { body: { token } })
    }
    const asked = await link()
    expect(asked.body.data.second_factor.step).toBe('prove')
    const done = await prove(asked.body.data.second_factor.ticket, { code: appCode(secret) })
    const { signed_in_by } = await rowOf(
      'select signed_in_by from sessions where user_id = $1 order by created_at desc',
      [id],
    )
    expect([done.status, signed_in_by]).toEqual([200, 'link'])
    await w.database.pool.query(
      `insert into settings (key, value) values ('second_factor_after_link', '"false"')
       on conflict (key) do update set value = excluded.value`,
    )
    expect((await link()).body.data.token).toBeTruthy()
    expect((await w.password('a@x.example')).body.data.second_factor).toBeTruthy()
  })
})

describe('a role that demands it', () => {
  test('leads who has none to set it up, before there is a session', async () => {
    const id = await w.person('r@x.example', { roles: ['registrar'] })
    await w.person('other@x.example', { roles: ['cashier'] })
    await demand('registrar')
    expect((await w.password('other@x.example')).body.data.token).toBeTruthy()
    const { second_factor } = (await w.password('r@x.example')).body.data
    expect(second_factor.step).toBe('enrol')
    const { ticket } = second_factor
    const count = async () => (await rowOf('select count(*)::int from sessions where user_id = $1', [id])).count
    expect(await count()).toBe(0)
    // No way around: there is nothing to prove yet.
    expect(codesOf(await prove(ticket, { code: '123456' }))[0]).toBe('no_authenticator_app')
    expect(codesOf(await prove(ticket, { recovery_code: 'aaaaa-aaaaa' }))[0]).toBe('recovery_code_wrong')
    const setup = await w.send('POST', '/login/second-factor/setup', { body: { ticket } })
    const { secret } = setup.body.data
    const finish = (code: string) => w.send('POST', '/login/second-factor/confirm', { body: { ticket, code } })
    const wrong = appCode(secret) === '000000' ? '111111' : '000000'
    expect(codesOf(await finish(wrong))[0]).toBe('code_wrong')
    expect(await count()).toBe(0)
    const done = await finish(appCode(secret))
    expect([done.status, done.body.data.recovery_codes.length, done.body.data.user.id]).toEqual([200, 10, id])
    expect(codesOf(await finish(appCode(secret, 1)))[0]).toBe('sign_in_step_over')
    // Whoever knows the password only does not set up another one.
    const again = (await w.password('r@x.example')).body.data.second_factor
    expect(again.step).toBe('prove')
    const setupAgain = await w.send('POST', '/login/second-factor/setup', { body: { ticket: again.ticket } })
    expect(codesOf(setupAgain)[0]).toBe('sign_in_step_over')
    const { token } = done.body.data
    expect(codesOf(await w.send('DELETE', '/users/second-factor', { token }))[0]).toBe('second_factor_demanded')
  })

  test('counts for the days on which the role is held, for students and for super admins', async () => {
    const id = await w.person('r@x.example', { roles: ['registrar'] })
    await w.person('s@x.example', { type: 3 })
    await w.person('sa@x.example', { is_super_admin: true })
    for (const role of ['registrar', 'student', 'super_admin']) await demand(role)
    const asked = async (email: string) => (await w.password(email)).body.data.second_factor?.step ?? 'in'
    expect([await asked('r@x.example'), await asked('s@x.example'), await asked('sa@x.example')]).toEqual([
      'enrol',
      'enrol',
      'enrol',
    ])
    await w.database.pool.query('update role_assignments set valid_to = university_today() - 1 where user_id = $1', [
      id,
    ])
    expect(await asked('r@x.example')).toBe('in')
  })

  test('is chosen by who may', async () => {
    await w.person('sa@x.example', { is_super_admin: true })
    await w.person('r@x.example', { roles: ['registrar'] })
    const { token } = (await w.password('sa@x.example')).body.data
    const roles = (await w.send('GET', '/second-factor/roles', { token })).body.data
    const registrar = roles.find((role: any) => role.name === 'Registrar')
    expect(registrar.required).toBe(false)
    const url = `/second-factor/roles/${registrar.id}`
    const { token: plain } = (await w.password('r@x.example')).body.data
    expect((await w.send('PUT', url, { token: plain, body: { required: true } })).status).toBe(403)
    expect((await w.send('PUT', url, { token, body: { required: true } })).body.data.required).toBe(true)
    expect((await w.password('r@x.example')).body.data.second_factor.step).toBe('enrol')
    const { reason } = await rowOf(
      `select new ->> 'second_factor' as reason from audit_log where table_name = 'roles' and record_id = $1`,
      [registrar.id],
    )
    expect(reason).toBe('true')
  })
})

describe('people of a role', () => {
  test('are counted by what they have today, and those without are found in the list of users', async () => {
    const { id: withApp } = await enrolled('app@x.example', { roles: ['registrar'] })
    await w.person('none@x.example', { roles: ['registrar'] })
    const blocked = await w.person('blocked@x.example', { roles: ['registrar'] })
    const past = await w.person('past@x.example', { roles: ['registrar'] })
    await w.person('s@x.example', { type: 3 })
    await w.person('sa@x.example', { is_super_admin: true })
    const { pool } = w.database
    await pool.query(`update users set blocked_at = now(), blocked_reason = 'x' where id = $1`, [blocked])
    await pool.query('update role_assignments set valid_to = university_today() - 1 where user_id = $1', [past])
    const { token } = (await w.password('sa@x.example')).body.data
    const roles = (await w.send('GET', '/second-factor/roles', { token })).body.data
    const of = (name: string) => roles.find((role: any) => role.name === name)
    expect(of('Registrar')).toMatchObject({ people: 2, app: 1, passkey: 0, recovery_codes: 1, without: 1 })
    expect(of('Student')).toMatchObject({ people: 1, without: 1 })
    expect(of('Super admin')).toMatchObject({ people: 1, without: 1 })
    const listed = async (role: string, by = token) =>
      (
        await w.send('POST', '/users', { token: by, body: { filters: { no_second_factor: [of(role).id] } } })
      ).body.data.map((row: any) => row.email)
    expect(await listed('Registrar')).toEqual(['none@x.example'])
    expect(await listed('Student')).toEqual(['s@x.example'])
    expect(await listed('Super admin')).toEqual(['sa@x.example'])
    // The last code is used: the count of those who have some says so.
    await pool.query('update recovery_codes set used_at = now() where user_id = $1', [withApp])
    const after = (await w.send('GET', '/second-factor/roles', { token })).body.data
    expect(after.find((role: any) => role.name === 'Registrar')).toMatchObject({
      app: 1,
      recovery_codes: 0,
      without: 1,
    })
    // Somebody who only looks users up learns nothing of whose account opens more easily.
    const reader = await w.person('reader@x.example')
    await pool.query(`insert into user_permissions (user_id, permission) values ($1, 'access_users')`, [reader])
    const { token: plain } = (await w.password('reader@x.example')).body.data
    expect((await w.send('GET', '/second-factor/roles', { token: plain })).status).toBe(403)
    expect(await listed('Registrar', plain)).toEqual([])
    const all = await w.send('POST', '/users', { token: plain, body: {} })
    expect([all.status, all.body.data.length > 1]).toEqual([200, true])
  })
})

describe('taking it away', () => {
  test('by the person, who shows the second factor: the password alone takes nothing off', async () => {
    const { id, token, secret } = await enrolled('a@x.example')
    await w.database.pool.query(
      `update sessions set confirmed_at = now() - interval '1 hour', second_proved_at = now() - interval '1 hour'`,
    )
    for (const [method, url] of [
      ['DELETE', '/users/second-factor'],
      ['POST', '/users/second-factor/setup'],
      ['POST', '/users/second-factor/recovery-codes'],
    ] as const)
      expect(codesOf(await w.send(method, url, { token }))[0]).toBe('second_factor_again')
    expect((await w.send('GET', '/users/confirm-password', { token })).body.data).toEqual(['password'])
    expect((await w.send('GET', '/users/confirm-password?second=true', { token })).body.data).toEqual([
      'password_and_code',
    ])
    await w.send('POST', '/users/confirm-password', { token, body: { password: PASSWORD } })
    for (const [method, url] of [
      ['DELETE', '/users/second-factor'],
      ['POST', '/users/second-factor/setup'],
      ['POST', '/users/second-factor/recovery-codes'],
      ['POST', '/users/passkeys/begin'],
      ['DELETE', '/users/passkeys/1'],
      ['POST', '/users/identities/link'],
      ['DELETE', '/users/identities/1'],
    ] as const)
      expect([url, codesOf(await w.send(method, url, { token }))[0]]).toEqual([url, 'second_factor_again'])
    const { count: stays } = await rowOf('select count(*)::int from totp_secrets where user_id = $1', [id])
    expect(stays).toBe(1)
    await w.send('POST', '/users/confirm-password', { token, body: { password: PASSWORD, code: appCode(secret) } })
    expect((await w.send('DELETE', '/users/second-factor', { token })).status).toBe(200)
    expect(codesOf(await w.send('DELETE', '/users/second-factor', { token }))[0]).toBe('no_second_factor')
    expect((await w.password('a@x.example')).body.data.token).toBeTruthy()
    const { count } = await rowOf('select count(*)::int from recovery_codes where user_id = $1', [id])
    expect(count).toBe(0)
  })

  test('by an administrator who says how the person was checked: it stands in the trail, and the person is told by mail', async () => {
    const { id, secret } = await enrolled('a@x.example', { roles: ['registrar'] })
    await w.person('admin@x.example', { roles: ['admin'] })
    await w.person('plain@x.example', { roles: ['cashier'] })
    const admin = (await w.password('admin@x.example')).body.data
    const plain = (await w.password('plain@x.example')).body.data.token
    const remove = (who: string, of: number, reason = 'came in person with the identity card') =>
      w.send('POST', `/people/user/${of}/second-factor/remove`, { token: who, body: { reason } })
    expect((await remove(plain, id)).status).toBe(403)
    expect((await remove(admin.token, id, ' ')).status).toBe(422)
    expect(codesOf(await remove(admin.token, admin.user.id))[0]).toBe('own_second_factor')
    const ticket = await ticketOf('a@x.example')
    expect((await remove(admin.token, id)).status).toBe(200)
    expect(codesOf(await remove(admin.token, id))[0]).toBe('no_second_factor')
    expect(codesOf(await prove(ticket, { code: appCode(secret) }))[0]).toBe('sign_in_step_over')
    expect((await w.password('a@x.example')).body.data.token).toBeTruthy()
    const line = await rowOf(
      `select actor_id, reason, old ->> 'second_factor_at' is not null as had from audit_log
       where table_name = 'users' and record_id = $1 and new ? 'second_factor_at' order by id desc limit 1`,
      [id],
    )
    expect(line).toEqual({ actor_id: admin.user.id, reason: 'came in person with the identity card', had: true })
    const entry = await rowOf(
      `select actor_id, data from security_log where kind = 'second_factor' and subject_id = $1 order by id desc limit 1`,
      [id],
    )
    expect(entry).toEqual({
      actor_id: admin.user.id,
      data: { change: 'taken_away', reason: 'came in person with the identity card' },
    })
    // The job that sends notices finds it.
    const mail = await rowOf(`select way from notice_mails where user_id = $1 and key like '%second_factor_off'`, [id])
    expect(mail.way).toBe('now')
  })

  test('not of somebody with more rights', async () => {
    const { id } = await enrolled('sa@x.example', { is_super_admin: true })
    await w.person('admin@x.example', { roles: ['admin'] })
    const { token } = (await w.password('admin@x.example')).body.data
    const answer = await w.send('POST', `/people/user/${id}/second-factor/remove`, { token, body: { reason: 'asked' } })
    expect([answer.status, codesOf(answer)[0]]).toEqual([403, 'person_has_more_rights'])
  })
})
