import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, openSignIn } from '#tests/sign-in-world.ts'
import type { Answer, SignInWorld } from '#tests/sign-in-world.ts'
import { Authenticator } from '#tests/software-authenticator.ts'
import type { Bent } from '#tests/software-authenticator.ts'
import { totpCodeOf, totpStepAt } from '../second-factor/totp.server.ts'
import { proofWays } from './passkey.rules.ts'

let w: SignInWorld
beforeAll(async () => {
  w = await openSignIn()
})
afterAll(() => w.close())
beforeEach(() => w.empty())

const SITE = 'https://ems.example'
type Jar = Record<string, string>
const said = (answer: Answer) => [answer.status, ...(answer.body.errors ?? []).map((e: any) => e.code)]
const rows = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
/** What the security log keeps of failures of a person; null: of nobody known. */
const failures = (id: number | null) =>
  rows(
    `select kind, data ->> 'reason' as reason from security_log where subject_id is not distinct from $1
     and kind in ('sign_in_failed', 'proof_failed') order by id`,
    [id],
  ).then((all) => all.map((one) => `${one.kind} ${one.reason}`))

/** Signs in by password in a browser, which then holds the session. */
async function browse(email: string): Promise<Jar> {
  const jar: Jar = {}
  const answer = await w.password(email, { jar })
  if (!answer.body.data.token) throw new Error('a second factor is asked for')
  return jar
}
/** Adds a passkey of a device to the account that is signed in. */
async function add(jar: Jar, device: Authenticator, { name = 'My phone', bent = {} as Bent, at = w.one } = {}) {
  const { body } = await w.send('POST', '/users/passkeys/begin', { jar })
  return w.send('POST', '/users/passkeys', { jar, at, body: { name, answer: device.make(body.data, bent) } })
}
interface Has {
  readonly id: number
  readonly jar: Jar
  readonly device: Authenticator
  readonly passkey: number
  readonly recovery: string[]
}
async function having(email: string, fields: Parameters<SignInWorld['person']>[1] = {}, counts = true): Promise<Has> {
  const id = await w.person(email, fields)
  const jar = await browse(email)
  const device = new Authenticator(SITE, counts)
  const answer = await add(jar, device)
  expect(answer.status).toBe(200)
  return { id, jar, device, passkey: answer.body.data.id, recovery: answer.body.data.recovery_codes }
}
const asked = async (jar: Jar) => (await w.send('POST', '/login/passkey/begin', { jar })).body.data
const enter = (jar: Jar, answer: unknown, at = w.one) => w.send('POST', '/login/passkey', { jar, at, body: { answer } })
/** All of it, in a browser of its own. */
async function byPasskey(device: Authenticator, bent: Bent = {}): Promise<Answer> {
  const jar: Jar = {}
  return enter(jar, device.sign(await asked(jar), bent))
}
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function appCode(secret: string, off = 0): string {
  const bits = [...secret].map((c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0')).join('')
  return totpCodeOf(
    Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2))),
    totpStepAt(Date.now() / 1000) + off,
  )
}
const demand = (role: string) => rows('update roles set second_factor = true where key = $1', [role])
const grow = () =>
  rows(`update sessions set confirmed_at = now() - interval '1 hour', second_proved_at = now() - interval '1 hour'`)

describe('a passkey', () => {
  test('is made for the address people know, added with recovery codes, and signs in without a password', async () => {
    const id = await w.person('a@x.example')
    const jar = await browse('a@x.example')
    const { body } = await w.send('POST', '/users/passkeys/begin', { jar, headers: { host: 'evil.example' } })
    expect(body.data).toMatchObject({
      rp: { id: 'ems.example' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(Buffer.from(body.data.user.id, 'base64url')).toHaveLength(32)
    const device = new Authenticator(SITE)
    const added = await w.send('POST', '/users/passkeys', {
      jar,
      body: { name: 'Phone', answer: device.make(body.data) },
    })
    expect([added.status, added.body.data.name, added.body.data.recovery_codes.length]).toEqual([200, 'Phone', 10])
    const done = await byPasskey(device)
    expect([done.status, done.body.data.user.id, Object.keys(done.cookies)]).toEqual([
      200,
      id,
      expect.arrayContaining(['__Host-session', 'user']),
    ])
    const [session] = (await w.send('GET', '/users/sessions', { token: done.body.data.token })).body.data
    expect([session.signed_in_by, session.second_factor]).toEqual(['passkey', null])
    const list = await w.send('GET', '/users/passkeys', { jar })
    expect(list.body.data).toMatchObject([{ name: 'Phone', last_used_at: expect.any(String) }])
    // A second one needs no codes, and both are told by mail.
    const second = await add(jar, new Authenticator(SITE), { name: 'Stick' })
    expect(second.body.data.recovery_codes).toEqual([])
    const mails = await rows(`select way from notice_mails where user_id = $1 and key like '%passkey_added'`, [id])
    expect(mails).toHaveLength(2)
  })

  test('is none where the answer is no statement of a device', async () => {
    await w.person('a@x.example')
    const jar = await browse('a@x.example')
    const { body } = await w.send('POST', '/users/passkeys/begin', { jar })
    const whole = new Authenticator(SITE).make(body.data)
    // A number, a list, a map without data, one whose data is a number for which two gigabytes would be taken.
    for (const cbor of ['01', '80', 'a0', 'a16861757468446174611a7fffffff', 'ff', '']) {
      const answer = {
        ...whole,
        response: { ...whole.response, attestationObject: Buffer.from(cbor, 'hex').toString('base64url') },
      }
      const { status, body: told } = await w.send('POST', '/users/passkeys', { jar, body: { name: 'Phone', answer } })
      expect([cbor, status]).toEqual([cbor, cbor ? 403 : status])
      expect(told.message).not.toBe('unexpected')
    }
  })

  test('of a device that keeps no count works again and again', async () => {
    const { device } = await having('a@x.example', {}, false)
    expect((await byPasskey(device)).status).toBe(200)
    expect((await byPasskey(device)).status).toBe(200)
  })

  test('is asked for after the password, beside recovery codes', async () => {
    const { id, device, recovery } = await having('a@x.example')
    const first = (await w.password('a@x.example')).body.data.second_factor
    expect(first).toMatchObject({ step: 'prove', ways: ['passkey'] })
    const jar: Jar = {}
    const { ticket } = first
    const code = await w.send('POST', '/login/second-factor', { body: { ticket, code: '123456' } })
    expect(said(code)).toEqual([409, 'no_authenticator_app'])
    const options = await w.send('POST', '/login/second-factor/passkey/begin', { jar, body: { ticket } })
    expect(options.body.data.allowCredentials).toHaveLength(1)
    const answer = device.sign(options.body.data)
    const done = await w.send('POST', '/login/second-factor/passkey', { jar, at: w.two, body: { ticket, answer } })
    expect([done.status, done.body.data.user.id]).toEqual([200, id])
    const [session] = (await w.send('GET', '/users/sessions', { token: done.body.data.token })).body.data
    expect([session.signed_in_by, session.second_factor]).toEqual(['password', 'passkey'])
    // The ticket is used up, and with it whatever is shown for it.
    expect(said(await w.send('POST', '/login/second-factor/passkey/begin', { jar, body: { ticket } }))[0]).toBe(409)
    const again = (await w.password('a@x.example')).body.data.second_factor.ticket
    const by = await w.send('POST', '/login/second-factor', { body: { ticket: again, recovery_code: recovery[0] } })
    expect(by.status).toBe(200)
  })

  test('of somebody else takes nobody in', async () => {
    await having('a@x.example')
    const other = await having('b@x.example')
    const { ticket } = (await w.password('a@x.example')).body.data.second_factor
    const jar: Jar = {}
    const options = (await w.send('POST', '/login/second-factor/passkey/begin', { jar, body: { ticket } })).body.data
    const answer = other.device.sign(options)
    const refused = await w.send('POST', '/login/second-factor/passkey', { jar, body: { ticket, answer } })
    expect(said(refused)).toEqual([403, 'passkey_other'])
    // A device that says that the key is another person's.
    const a = await w.send('GET', '/users/passkeys', { jar: other.jar })
    expect(a.status).toBe(200)
    expect(said(await byPasskey(other.device, { userHandle: 'c29tZWJvZHktZWxzZQ' }))).toEqual([403, 'passkey_other'])
    expect(await failures(other.id)).toEqual(['sign_in_failed passkey_other'])
  })

  test('of another site, not unlocked, made up or signed by another key is refused in words, and written down', async () => {
    const { id, device } = await having('a@x.example')
    const cases: [Bent, string[]][] = [
      [{ origin: 'https://evil.example', rpId: 'evil.example' }, ['passkey_site']],
      [{ origin: 'https://ems.example.evil.example' }, ['passkey_site']],
      [{ origin: 'https://ems.example:8443' }, ['passkey_site']],
      [{ rpId: 'evil.example' }, ['passkey_site']],
      [{ framed: true }, ['passkey_site']],
      [{ locked: true }, ['passkey_unverified']],
      [{ challenge: 'bWFkZS11cA' }, ['passkey_challenge']],
      [{ forged: true }, ['passkey_wrong']],
      [{ origin: 'http://ems.example', challenge: 'x' }, ['passkey_site', 'passkey_challenge']],
    ]
    for (const [bent, codes] of cases) {
      expect(said(await byPasskey(device, bent)), JSON.stringify(bent)).toEqual([403, ...codes])
      expect((await failures(id)).at(-1)).toBe(`sign_in_failed ${codes[0]}`)
    }
    expect(await failures(id)).toHaveLength(cases.length)
    // What it cannot read is refused as well.
    const jar: Jar = {}
    const answer = device.sign(await asked(jar))
    const broken = { ...answer, response: { ...answer.response, clientDataJSON: 'bm90LWpzb24' } }
    expect(said(await enter(jar, broken))).toEqual([403, 'passkey_wrong'])
    const short = { ...answer, response: { ...answer.response, authenticatorData: 'AAAA' } }
    expect(said(await enter(jar, short))).toEqual([403, 'passkey_wrong'])
    // Of another kind than the answer to a request.
    const other = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString()) as object
    const made = Buffer.from(JSON.stringify({ ...other, type: 'webauthn.create' })).toString('base64url')
    expect(said(await enter(jar, { ...answer, response: { ...answer.response, clientDataJSON: made } }))).toEqual([
      403,
      'passkey_wrong',
    ])
    expect((await byPasskey(device)).status).toBe(200)
  })

  test('an answer works once, in one process, in the browser that asked, for what was asked, for five minutes', async () => {
    const { id, jar: own, device } = await having('a@x.example', {}, false)
    const jar: Jar = {}
    const answer = device.sign(await asked(jar))
    const both = await Promise.all([enter({ ...jar }, answer, w.one), enter({ ...jar }, answer, w.two)])
    expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(said(both.find((one) => one.status === 403)!)).toEqual([403, 'passkey_challenge'])
    expect(said(await enter(jar, answer))).toEqual([403, 'passkey_challenge'])
    // Another browser.
    expect(said(await enter({}, device.sign(await asked(jar))))).toEqual([403, 'passkey_challenge'])
    expect(said(await enter({ ...own }, device.sign(await asked(jar))))).toEqual([403, 'passkey_challenge'])
    // What was asked to confirm who sits there signs nobody in.
    const proof = (await w.send('POST', '/users/confirm-passkey/begin', { jar: own })).body.data
    expect(said(await enter(own, device.sign(proof)))).toEqual([403, 'passkey_challenge'])
    // Nor is it the second step of the same person in the same browser.
    const { ticket } = (await w.password('a@x.example')).body.data.second_factor
    const again = (await w.send('POST', '/users/confirm-passkey/begin', { jar: own })).body.data
    const second = { ticket, answer: device.sign(again) }
    expect(said(await w.send('POST', '/login/second-factor/passkey', { jar: own, body: second }))).toEqual([
      403,
      'passkey_challenge',
    ])
    const late = device.sign(await asked(jar))
    await rows(`update passkey_challenges set expires_at = now() - interval '1 second'`)
    expect(said(await enter(jar, late))).toEqual([403, 'passkey_challenge'])
    const [{ minutes }] = await rows(
      `insert into passkey_challenges (challenge_hash, browser_hash, purpose, expires_at)
       values ('x', 'x', 'sign_in', now()) returning 5 as minutes`,
    )
    await asked(jar)
    const [{ left }] = await rows(
      `select extract(epoch from max(expires_at) - now())::int as left from passkey_challenges`,
    )
    expect(left).toBeLessThanOrEqual(minutes * 60)
    expect(await failures(id)).toHaveLength(7)
  })

  test('a count that goes back, or does not move, is that of a copy', async () => {
    const { id, device } = await having('a@x.example')
    expect((await byPasskey(device, { counter: 40 })).status).toBe(200)
    expect(said(await byPasskey(device, { counter: 39 }))).toEqual([403, 'passkey_counter'])
    expect(said(await byPasskey(device, { counter: 40 }))).toEqual([403, 'passkey_counter'])
    expect(said(await byPasskey(device, { counter: 0 }))).toEqual([403, 'passkey_counter'])
    expect((await byPasskey(device, { counter: 41 })).status).toBe(200)
    expect(await failures(id)).toEqual(Array(3).fill('sign_in_failed passkey_counter'))
  })

  test('of a blocked account, or one that was taken off, is refused', async () => {
    const { id, jar, device, passkey } = await having('a@x.example')
    await rows('update users set blocked_at = now() where id = $1', [id])
    expect(said(await byPasskey(device))).toEqual([403, 'account_blocked'])
    await rows('update users set blocked_at = null where id = $1', [id])
    w.one.auth.forget()
    expect((await w.send('DELETE', `/users/passkeys/${passkey}`, { jar })).status).toBe(200)
    expect(said(await byPasskey(device))).toEqual([403, 'passkey_unknown'])
    expect(await failures(id)).toEqual(['sign_in_failed blocked'])
    expect(await failures(null)).toEqual(['sign_in_failed passkey_unknown'])
    const gone = await having('gone@x.example')
    await rows('update users set removed_at = now() where id = $1', [gone.id])
    expect(said(await byPasskey(gone.device))).toEqual([403, 'passkey_unknown'])
  })

  test('is not added from another site, twice, without unlocking, or to another account than it was begun for', async () => {
    const { id, jar, device } = await having('a@x.example')
    const other = new Authenticator(SITE)
    expect(said(await add(jar, other, { bent: { origin: 'https://evil.example' } }))).toEqual([403, 'passkey_site'])
    expect(said(await add(jar, other, { bent: { rpId: 'evil.example' } }))).toEqual([403, 'passkey_site'])
    expect(said(await add(jar, other, { bent: { locked: true } }))).toEqual([403, 'passkey_unverified'])
    // What answers a sign-in is no new key.
    const begun = await w.send('POST', '/users/passkeys/begin', { jar })
    const key = other.make(begun.body.data)
    const told = JSON.parse(Buffer.from(key.response.clientDataJSON, 'base64url').toString()) as object
    const bent = Buffer.from(JSON.stringify({ ...told, type: 'webauthn.get' })).toString('base64url')
    const answer = { ...key, response: { ...key.response, clientDataJSON: bent } }
    expect(said(await w.send('POST', '/users/passkeys', { jar, body: { name: 'x', answer } }))).toEqual([
      403,
      'passkey_wrong',
    ])
    const { body } = await w.send('POST', '/users/passkeys/begin', { jar })
    const made = other.make(body.data)
    const send = (to: Jar) => w.send('POST', '/users/passkeys', { jar: to, body: { name: 'x', answer: made } })
    await w.person('b@x.example')
    const b = await browse('b@x.example')
    expect(said(await send({ ...b, ...pick(jar, '__Host-passkey') }))).toEqual([403, 'passkey_challenge'])
    expect(said(await send(jar))).toEqual([403, 'passkey_challenge'])
    const again = await w.send('POST', '/users/passkeys/begin', { jar })
    expect(again.body.data.excludeCredentials).toHaveLength(1)
    const twice = device.make(again.body.data)
    device.keys.pop()
    await rows('update passkeys set credential_id = $1', [Buffer.from(twice.id, 'base64url')])
    const known = await w.send('POST', '/users/passkeys', { jar, body: { name: 'x', answer: twice } })
    expect(said(known)).toEqual([409, 'passkey_twice'])
    expect((await failures(id)).length).toBeGreaterThanOrEqual(3)
  })
})
const pick = (jar: Jar, name: string): Jar => ({ [name]: jar[name]! })

describe('a role that demands a second factor', () => {
  test('is content with a passkey, made on the way in or shown alone', async () => {
    const id = await w.person('r@x.example', { roles: ['registrar'] })
    await demand('registrar')
    const { ticket, step, ways } = (await w.password('r@x.example')).body.data.second_factor
    expect([step, ways]).toEqual(['enrol', ['passkey', 'code']])
    const jar: Jar = {}
    const device = new Authenticator(SITE)
    const offered = await w.send('POST', '/login/second-factor/passkey/setup', { jar, body: { ticket } })
    const answer = device.make(offered.body.data)
    const confirm = (to: Jar) =>
      w.send('POST', '/login/second-factor/passkey/confirm', { jar: to, body: { ticket, name: 'Phone', answer } })
    const done = await confirm(jar)
    expect([done.status, done.body.data.user.id, done.body.data.recovery_codes.length]).toEqual([200, id, 10])
    expect(said(await confirm(jar))[0]).toBe(409)
    expect((await byPasskey(device)).status).toBe(200)
    // Who has one already shows it: a password alone adds none.
    const next = (await w.password('r@x.example')).body.data.second_factor.ticket
    const setup = await w.send('POST', '/login/second-factor/passkey/setup', { jar, body: { ticket: next } })
    expect(said(setup)).toEqual([409, 'sign_in_step_over'])
  })

  test('keeps the last factor; of two that are taken off at once one stays', async () => {
    const { jar, passkey } = await having('r@x.example', { roles: ['registrar'] })
    await demand('registrar')
    const remove = (id: number, at = w.one) => w.send('DELETE', `/users/passkeys/${id}`, { jar, at })
    expect(said(await remove(passkey))).toEqual([409, 'passkey_last_factor'])
    const second = (await add(jar, new Authenticator(SITE))).body.data.id
    const both = await Promise.all([remove(passkey, w.one), remove(second, w.two)])
    expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await rows('select from passkeys')).toHaveLength(1)
  })

  test('an app and a passkey: either may go, not both', async () => {
    const { jar, passkey } = await having('r@x.example', { roles: ['registrar'] })
    await demand('registrar')
    const { secret } = (await w.send('POST', '/users/second-factor/setup', { jar })).body.data
    await w.send('POST', '/users/second-factor/confirm', { jar, body: { code: appCode(secret) } })
    expect((await w.send('DELETE', '/users/second-factor', { jar })).status).toBe(200)
    expect((await w.send('GET', '/users/second-factor', { jar })).body.data).toMatchObject({
      since: expect.any(String),
      app: false,
      passkeys: 1,
    })
    expect(said(await w.send('DELETE', '/users/second-factor', { jar }))).toEqual([409, 'no_authenticator_app'])
    expect(said(await w.send('DELETE', `/users/passkeys/${passkey}`, { jar }))).toEqual([409, 'passkey_last_factor'])
  })
})

describe('the own passkeys', () => {
  test('are named, and taken off by who proves it again: told by mail; with the last one nothing is asked for', async () => {
    const { id, jar, passkey, recovery } = await having('a@x.example')
    const named = await w.send('PUT', `/users/passkeys/${passkey}`, { jar, body: { name: 'Old phone' } })
    expect(named.body.data.name).toBe('Old phone')
    const other = await having('b@x.example')
    expect((await w.send('PUT', `/users/passkeys/${passkey}`, { jar: other.jar, body: { name: 'x' } })).status).toBe(
      404,
    )
    expect((await w.send('DELETE', `/users/passkeys/${passkey}`, { jar: other.jar })).status).toBe(404)
    await grow()
    expect(said(await w.send('DELETE', `/users/passkeys/${passkey}`, { jar }))[1]).toBe('second_factor_again')
    expect(said(await w.send('POST', '/users/passkeys/begin', { jar }))[1]).toBe('second_factor_again')
    // The password alone takes nothing off.
    await w.send('POST', '/users/confirm-password', { jar, body: { password: PASSWORD } })
    expect(said(await w.send('DELETE', `/users/passkeys/${passkey}`, { jar }))[1]).toBe('second_factor_again')
    await w.send('POST', '/users/confirm-password', { jar, body: { password: PASSWORD, code: recovery[0] } })
    expect((await w.send('DELETE', `/users/passkeys/${passkey}`, { jar })).status).toBe(200)
    const mails = await rows(`select from notice_mails where user_id = $1 and key like '%passkey_removed'`, [id])
    expect(mails).toHaveLength(1)
    expect((await w.password('a@x.example')).body.data.token).toBeTruthy()
    expect(await rows('select from recovery_codes where user_id = $1', [id])).toEqual([])
  })

  test('who has no password keeps the last way in', async () => {
    const { id, jar, passkey } = await having('a@x.example')
    await rows('update users set password_hash = null where id = $1', [id])
    expect(said(await w.send('DELETE', `/users/passkeys/${passkey}`, { jar }))).toEqual([409, 'passkey_only_way'])
    await rows(`insert into identities (user_id, issuer, subject, linked_by) values ($1, 'i', 's', 'person')`, [id])
    expect((await w.send('DELETE', `/users/passkeys/${passkey}`, { jar })).status).toBe(200)
  })

  test('an administrator who takes a second factor away takes passkeys with it', async () => {
    const { id, device } = await having('a@x.example', { roles: ['registrar'] })
    await w.person('admin@x.example', { roles: ['admin'] })
    const admin = await browse('admin@x.example')
    const body = { reason: 'came in person' }
    expect((await w.send('POST', `/people/user/${id}/second-factor/remove`, { jar: admin, body })).status).toBe(200)
    expect(said(await byPasskey(device))).toEqual([403, 'passkey_unknown'])
  })
})

describe('proving again who sits there', () => {
  const sensitive = (jar: Jar) => w.send('POST', '/users/second-factor/recovery-codes', { jar })
  const ways = async (jar: Jar) => (await w.send('GET', '/users/confirm-password', { jar })).body.data
  const prove = (jar: Jar, body: object) => w.send('POST', '/users/confirm-password', { jar, body })

  test('by a passkey only where there is one; of one person there are twenty at most', async () => {
    const { id, jar } = await having('a@x.example')
    await w.database.pool.query(
      `insert into passkeys (user_id, credential_id, public_key, name)
       select $1, sha256(n::text::bytea), ''::bytea, 'Key ' || n from generate_series(1, 19) as n`,
      [id],
    )
    expect(said(await add(jar, new Authenticator(SITE)))).toEqual([409, 'passkeys_most'])
    await w.database.pool.query('delete from passkeys where user_id = $1', [id])
    expect(said(await w.send('POST', '/users/confirm-passkey/begin', { jar }))).toEqual([409, 'passkey_none'])
  })

  test('by a passkey, once', async () => {
    const { id, jar, device } = await having('a@x.example', {}, false)
    await grow()
    expect(said(await sensitive(jar))[1]).toBe('second_factor_again')
    expect(await ways(jar)).toEqual(['passkey', 'password'])
    const options = (await w.send('POST', '/users/confirm-passkey/begin', { jar })).body.data
    expect(options.allowCredentials).toHaveLength(1)
    const answer = device.sign(options)
    const send = () => w.send('POST', '/users/confirm-passkey', { jar, body: { answer } })
    expect((await send()).status).toBe(200)
    expect((await sensitive(jar)).status).toBe(200)
    await grow()
    expect(said(await send())).toEqual([403, 'passkey_challenge'])
    expect(said(await sensitive(jar))[1]).toBe('second_factor_again')
    expect(await failures(id)).toEqual(['proof_failed passkey_challenge'])
  })

  test('where a role demands more, the password needs a code as well; a passkey is enough', async () => {
    const { id, jar, device, recovery } = await having('r@x.example', { roles: ['registrar'] })
    await demand('registrar')
    await grow()
    expect(await ways(jar)).toEqual(['passkey', 'password_and_code'])
    expect(said(await prove(jar, { password: PASSWORD }))).toEqual([403, 'proof_needs_more'])
    expect(said(await prove(jar, { code: recovery[0] }))).toEqual([403, 'proof_needs_more'])
    expect(said(await prove(jar, { password: PASSWORD, code: 'aaaaa-aaaaa' }))).toEqual([403, 'recovery_code_wrong'])
    expect(said(await prove(jar, { password: 'wrong', code: recovery[0] }))).toEqual([403, 'current_password_wrong'])
    expect(said(await sensitive(jar))[1]).toBe('second_factor_again')
    expect(await failures(id)).toEqual(['proof_failed recovery_code_wrong', 'proof_failed current_password_wrong'])
    await rows('delete from login_attempts')
    expect((await prove(jar, { password: PASSWORD, code: recovery[0] })).status).toBe(200)
    expect((await sensitive(jar)).status).toBe(200)
    await grow()
    const options = (await w.send('POST', '/users/confirm-passkey/begin', { jar })).body.data
    const proved = await w.send('POST', '/users/confirm-passkey', { jar, body: { answer: device.sign(options) } })
    expect([proved.status, (await sensitive(jar)).status]).toEqual([200, 200])
  })

  test('who has no password proves it by a code of the app, or signs in anew', async () => {
    const id = await w.person('a@x.example')
    const jar = await browse('a@x.example')
    await rows('update users set password_hash = null where id = $1', [id])
    await grow()
    expect(said(await sensitive(jar))[1]).toBe('sign_in_again')
    await rows('update sessions set confirmed_at = now()')
    const { secret } = (await w.send('POST', '/users/second-factor/setup', { jar })).body.data
    await w.send('POST', '/users/second-factor/confirm', { jar, body: { code: appCode(secret, -1) } })
    await grow()
    expect(await ways(jar)).toEqual(['code'])
    expect((await prove(jar, { code: appCode(secret) })).status).toBe(200)
    expect((await sensitive(jar)).status).toBe(200)
  })

  test('nobody is left without a way who has one', () => {
    for (const password of [true, false])
      for (const app of [true, false])
        for (const passkeys of [0, 1])
          for (const demanded of [true, false]) {
            const found = proofWays({ password, app, passkeys, recovery_codes: 0, demanded })
            // A code by itself is for who has no password.
            expect(found.includes('code')).toBe(app && !password)
            expect(found.length > 0, JSON.stringify({ password, app, passkeys, demanded })).toBe(
              password || app || passkeys > 0,
            )
          }
  })
})
