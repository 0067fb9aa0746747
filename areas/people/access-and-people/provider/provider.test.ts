import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openProvider, PROVIDER_CLIENT } from '#demo/provider.ts'
import type { DemoProvider } from '#demo/provider.ts'
import { openSignIn } from '#tests/sign-in-world.ts'
import type { Answer, SignInWorld } from '#tests/sign-in-world.ts'
import { vouchedEmail } from './identity.rules.ts'

let provider: DemoProvider
let w: SignInWorld
beforeAll(async () => {
  provider = await openProvider(['https://ems.example/login'])
  w = await openSignIn({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: PROVIDER_CLIENT.id,
    OIDC_CLIENT_SECRET: PROVIDER_CLIENT.secret,
    OIDC_EMAIL_DOMAINS: 'university.example, med.university.example',
    OIDC_ENTRIES: 'instructor, employee, student',
  })
})
afterAll(async () => {
  await w?.close()
  await provider?.close()
})
beforeEach(() => w.empty())

type Jar = Record<string, string>
/** A browser at the provider: signs in there as somebody, agrees, and is sent back. */
async function atProvider(url: string, login: string, agree = true): Promise<Record<string, string>> {
  const jar: Jar = {}
  let next = url
  let form: URLSearchParams | undefined
  for (let hops = 0; hops < 12; hops++) {
    if (next.startsWith('https://ems.example/')) return Object.fromEntries(new URL(next).searchParams)
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: {
        cookie: Object.entries(jar)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
      },
      ...(form && { method: 'POST', body: form }),
    })
    form = undefined
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(';')
      const at = pair!.indexOf('=')
      jar[pair!.slice(0, at)] = pair!.slice(at + 1)
    }
    const to = answer.headers.get('location')
    if (to) {
      next = new URL(to, next).href
      continue
    }
    const page = await answer.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    if (!action) throw new Error(`the provider says: ${page.slice(0, 500)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)![1]!
    if (!agree) next = new URL(/href="([^"]+abort)"/.exec(page)![1]!, next).href
    else {
      next = new URL(action, next).href
      form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'x' } : { prompt })
    }
  }
  throw new Error('the provider leads nowhere')
}
const away = async (jar: Jar): Promise<string> => (await w.send('GET', '/get-ms-login-url', { jar })).body.data.url
const back = (jar: Jar, returned: Record<string, string>, at = w.one): Promise<Answer> =>
  w.send('POST', '/ms-login/callback', { jar, body: returned, at })
/** All of it, in one browser. */
async function bySso(login: string, jar: Jar = {}): Promise<Answer> {
  return back(jar, await atProvider(await away(jar), login))
}
const said = (answer: Answer) => [answer.status, answer.body.message]
const idOf = (answer: Answer): number | undefined => answer.body.data?.user?.id
const linked = async () => (await w.database.pool.query('select user_id, subject, linked_by from identities')).rows

describe('single sign-on', () => {
  test('a verified address of the university links the account the first time; then the identity is enough', async () => {
    const id = await w.person('a@university.example')
    const jar: Jar = {}
    const first = await bySso('a@university.example', jar)
    expect([first.status, idOf(first), typeof jar['__Host-session']]).toEqual([200, id, 'string'])
    expect(await linked()).toEqual([{ user_id: id, subject: 'a@university.example', linked_by: 'email' }])
    const { rows: told } = await w.database.pool.query(`select key from notifications where user_id = $1`, [id])
    expect(told.map(({ key }) => key)).toContain('access-and-people.notice_identity_linked')
    // The address of the account may change: the identity is known by the provider's own name.
    await w.database.pool.query(`update users set email = 'other@university.example' where id = $1`, [id])
    expect(idOf(await bySso('a@university.example'))).toBe(id)
    const sessions = await w.send('GET', '/users/sessions', { jar })
    expect(sessions.body.data[0].signed_in_by).toBe('provider')
  })

  test('an unverified address, one of a foreign domain, and an unknown one link nothing', async () => {
    await w.person('a@elsewhere.example')
    await w.person('nobody')
    for (const login of ['a@elsewhere.example', 'nobody', 'b@university.example'])
      expect(said(await bySso(login))).toEqual([403, 'identity_unknown'])
    expect(await linked()).toEqual([])
  })

  test('the address that comes back is that of this browser, once, for some minutes', async () => {
    await w.person('a@university.example')
    const jar: Jar = {}
    const returned = await atProvider(await away(jar), 'a@university.example')
    expect(said(await back({}, returned))).toEqual([403, 'provider_state'])
    // Who tried it in another browser has used it up.
    expect(said(await back(jar, returned))).toEqual([403, 'provider_state'])
    expect(said(await back(jar, { ...returned, state: 'made-up' }))).toEqual([403, 'provider_state'])
    const late = await atProvider(await away(jar), 'a@university.example')
    await w.database.pool.query(`update provider_sign_ins set expires_at = now() - interval '1 second'`)
    expect(said(await back(jar, late))).toEqual([403, 'provider_state'])
    // Twice at the same moment, in two processes: one comes in.
    const again = await atProvider(await away(jar), 'a@university.example')
    const both = await Promise.all([back({ ...jar }, again, w.one), back({ ...jar }, again, w.two)])
    expect(both.map((a) => a.status).toSorted((a, b) => a - b)).toEqual([200, 403])
  })

  test('a code that was used, of another sign-in, or made up is refused', async () => {
    await w.person('a@university.example')
    const jar: Jar = {}
    const first = await atProvider(await away(jar), 'a@university.example')
    expect((await back(jar, first)).status).toBe(200)
    const second = await atProvider(await away(jar), 'a@university.example')
    expect(said(await back(jar, { ...second, code: first.code! }))).toEqual([403, 'provider_code_used'])
    const third = await atProvider(await away(jar), 'a@university.example')
    expect(said(await back(jar, { ...third, code: 'made-up' }))).toEqual([403, 'provider_code_used'])
    // Somebody else's code in one's own sign-in: the proof key is not that of who asked.
    const theirs = await atProvider(await away({}), 'a@university.example')
    const fourth = await atProvider(await away(jar), 'a@university.example')
    expect(said(await back(jar, { ...fourth, code: theirs.code! }))).toEqual([403, 'provider_code_used'])
  })

  test('another nonce, another issuer, a clock that is off and no consent are refused in words', async () => {
    await w.person('a@university.example')
    const jar: Jar = {}
    const returned = await atProvider(await away(jar), 'a@university.example')
    await w.database.pool.query(`update provider_sign_ins set nonce = 'another'`)
    expect(said(await back(jar, returned))).toEqual([403, 'provider_answer'])
    const other = await atProvider(await away(jar), 'a@university.example')
    expect(said(await back(jar, { ...other, iss: 'https://id.elsewhere.example' }))).toEqual([403, 'provider_answer'])
    // Two hours lie between the moment of the provider and ours.
    let apart = true
    provider.provider.use(async (ctx, next) => {
      await next()
      if (apart && ctx.path === '/token') vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 })
    })
    expect(said(await bySso('a@university.example'))).toEqual([403, 'provider_clock'])
    apart = false
    vi.useRealTimers()
    const refused = await atProvider(await away(jar), 'a@university.example', false)
    expect(refused.error).toBe('access_denied')
    expect(said(await back(jar, refused))).toEqual([403, 'provider_denied'])
    const broken = await atProvider(await away(jar), 'a@university.example', false)
    expect(said(await back(jar, { ...broken, error: 'server_error' }))).toEqual([403, 'provider_refused'])
    expect(await linked()).toEqual([])
  })

  test('a token that the provider has not signed is refused, whoever answers in its place', async () => {
    await w.person('a@university.example')
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [ours] = (await (await fetch(`${provider.issuer}/jwks`)).json()).keys
    /** The token as it is, but signed otherwise. */
    const forgeries: Record<string, (token: string) => string> = {
      'by a foreign key': (token) => signedBy(foreign, { alg: 'RS256', kid: ours.kid }, token),
      'by a foreign key of its own name': (token) => signedBy(foreign, { alg: 'RS256', kid: 'foreign' }, token),
      'by nothing that is a signature': (token) => token.replace(/[^.]*$/, 'AAAA'),
      'by nothing': (token) => token.replace(/[^.]*$/, ''),
      'without an algorithm': (token) => `${encoded({ alg: 'none' })}.${token.split('.')[1]}.`,
      'by the public key as a secret': (token) => {
        const text = `${encoded({ alg: 'HS256', kid: ours.kid })}.${token.split('.')[1]}`
        return `${text}.${createHmac('sha256', JSON.stringify(ours)).update(text).digest('base64url')}`
      },
      'over other words': (token) => {
        const [header, body, signature] = token.split('.') as [string, string, string]
        const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
        return [header, encoded({ ...claims, email: 'b@university.example' }), signature].join('.')
      },
    }
    const signedBy = (key: KeyObject, header: object, token: string) => {
      const text = `${encoded(header)}.${token.split('.')[1]}`
      return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
    }
    let forged: ((token: string) => string) | null = null
    provider.provider.use(async (ctx, next) => {
      await next()
      const body = ctx.body as { id_token?: string } | undefined
      if (forged && ctx.path === '/token' && body?.id_token) body.id_token = forged(body.id_token)
    })
    for (const [what, forge] of Object.entries(forgeries)) {
      forged = forge
      expect.soft(said(await bySso('a@university.example')), what).toEqual([403, 'provider_answer'])
    }
    forged = null
    expect(await linked()).toEqual([])
    expect((await bySso('a@university.example')).status).toBe(200)
  })

  test('an account that is blocked, or of a kind that comes in otherwise, does not come in', async () => {
    const id = await w.person('a@university.example')
    await w.person('new@university.example', { type: 4 })
    await w.database.pool.query('update users set blocked_at = now() where id = $1', [id])
    expect(said(await bySso('a@university.example'))).toEqual([403, 'account_blocked'])
    expect(said(await bySso('new@university.example'))).toEqual([403, 'provider_entry'])
    expect(await linked()).toEqual([])
  })

  test('a second factor is asked for as well, unless the university leaves that to the provider', async () => {
    const id = await w.person('a@university.example')
    await w.database.pool.query('update users set second_factor_at = now() where id = $1', [id])
    expect((await bySso('a@university.example')).body.data.second_factor.step).toBe('prove')
    await w.database.pool.query(`insert into settings (key, value) values ('second_factor_after_provider', '"false"')`)
    expect(idOf(await bySso('a@university.example'))).toBe(id)
  })
})

describe('a provider that is not there', () => {
  test('one that does not answer is told so, before one is sent there and when one comes back', async () => {
    await w.person('a@university.example')
    const other = await openProvider(['https://ems.example/login'])
    const { oidc } = w.one.services.config
    const at = await w.process({ oidc: { ...oidc!, issuer: other.issuer } })
    const jar: Jar = {}
    const { url } = (await w.send('GET', '/get-ms-login-url', { jar, at })).body.data
    const returned = await atProvider(url, 'a@university.example')
    await other.close()
    expect(said(await back(jar, returned, at))).toEqual([409, 'provider_away'])
    expect(await linked()).toEqual([])
    const gone = await w.process({ oidc: { ...oidc!, issuer: 'http://127.0.0.1:9' } })
    expect(said(await w.send('GET', '/get-ms-login-url', { jar, at: gone }))).toEqual([409, 'provider_away'])
  })

  test('where none is set up nobody is sent to one', async () => {
    await w.person('a@university.example')
    const jar: Jar = {}
    await w.password('a@university.example', { jar })
    const at = await w.process({ oidc: null, saml: null })
    expect(said(await w.send('GET', '/get-ms-login-url', { at }))).toEqual([409, 'provider_missing'])
    expect(said(await w.send('POST', '/users/identities/link', { jar, at }))).toEqual([409, 'provider_missing'])
  })
})

describe('linking an identity to the own account', () => {
  /** Signed in with the password, in a browser. */
  const browser = async (email: string): Promise<Jar> => {
    const jar: Jar = {}
    await w.password(email, { jar })
    return jar
  }
  const link = async (jar: Jar, login: string): Promise<Answer> => {
    const { url } = (await w.send('POST', '/users/identities/link', { jar })).body.data
    return back(jar, await atProvider(url, login))
  }

  test('whatever its address is; taken off again', async () => {
    const id = await w.person('a@university.example')
    const jar = await browser('a@university.example')
    expect((await link(jar, 'someone@private.example')).body.data).toEqual({ linked: true })
    expect(await linked()).toEqual([{ user_id: id, subject: 'someone@private.example', linked_by: 'person' }])
    expect(idOf(await bySso('someone@private.example'))).toBe(id)
    const { data, meta } = (await w.send('GET', '/users/identities', { jar })).body
    expect([data.length, data[0].email, meta.can_link]).toEqual([1, 'someone@private.example', false])
    expect((await w.send('DELETE', `/users/identities/${data[0].id}`, { jar })).status).toBe(200)
    // Both stand in the security log, as what they are.
    const { rows: log } = await w.database.pool.query(
      `select data ->> 'change' as change from security_log where kind = 'identity' order by id`,
    )
    expect(log.map(({ change }) => change)).toEqual(['linked', 'unlinked'])
    expect(said(await bySso('someone@private.example'))).toEqual([403, 'identity_unknown'])
    const { rows } = await w.database.pool.query(
      `select action from audit_log where table_name = 'identities' order by id`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['insert', 'delete'])
  })

  test('not one that is somebody else’s, nor a second one, nor the only way in', async () => {
    await w.person('a@university.example')
    const b = await w.person('b@university.example')
    const jar = await browser('a@university.example')
    expect((await link(jar, 'mine')).status).toBe(200)
    const other = await browser('b@university.example')
    expect(said(await link(other, 'mine'))).toEqual([409, 'identity_taken'])
    expect(said(await link(jar, 'another'))).toEqual([409, 'identity_second'])
    // Twice the same is no matter.
    expect((await link(jar, 'mine')).status).toBe(200)
    // Who has one of this provider is not given another by an address.
    expect((await link(other, 'b-at-home')).status).toBe(200)
    expect(said(await bySso('b@university.example'))).toEqual([409, 'identity_second'])
    await w.database.pool.query('update users set password_hash = null where id = $1', [b])
    const { data } = (await w.send('GET', '/users/identities', { jar: other })).body
    const off = await w.send('DELETE', `/users/identities/${data[0].id}`, { jar: other })
    expect(said(off)).toEqual([409, 'identity_only_way'])
    expect((await w.send('DELETE', `/users/identities/${data[0].id}`, { jar })).status).toBe(404)
  })

  test('what one began, another does not finish', async () => {
    await w.person('a@university.example')
    await w.person('b@university.example')
    const jar = await browser('a@university.example')
    const { url } = (await w.send('POST', '/users/identities/link', { jar })).body.data
    const returned = await atProvider(url, 'mine')
    // Somebody else has signed in in this browser meanwhile.
    await w.password('b@university.example', { jar })
    expect(said(await back(jar, returned))).toEqual([403, 'provider_state'])
    expect(await linked()).toEqual([])
  })
})

test('an address counts when the provider has verified it, and it is in a domain of the university', () => {
  const of = (email: string | null, verified = true) => vouchedEmail({ email, verified }, ['university.example'])
  expect(of('A@University.Example')).toBe('A@University.Example')
  for (const email of [
    null,
    'a@university.example.evil',
    'a@evil-university.example',
    '@university.example',
    'a@sub.university.example',
  ])
    expect(of(email)).toBeNull()
  expect(of('a@university.example', false)).toBeNull()
})
