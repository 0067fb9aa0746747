import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selfSigned } from '#demo/certificate.ts'
import { openSamlProvider } from '#demo/saml-provider.ts'
import type { DemoSamlProvider, Leave, Leaving, Told } from '#demo/saml-provider.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { openSignIn } from '#tests/sign-in-world.ts'
import type { Answer, SignInWorld } from '#tests/sign-in-world.ts'
import { vouchedCode } from '../provider/identity.rules.ts'
import { assertionReasons } from './assertion.rules.ts'
import { mapped } from './mapping.rules.ts'
import { providerIn } from './metadata.server.ts'
import { ownMetadata } from './saml.server.ts'

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3'
const CODE = 'urn:oid:1.3.6.1.4.1.25178.1.2.14'
let provider: DemoSamlProvider
let w: SignInWorld
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ems-saml-'))
  const own = selfSigned('university')
  await writeFile(path.join(folder, 'own.key'), own.key)
  await writeFile(path.join(folder, 'own.pem'), own.certificate)
  const settings = {
    PUBLIC_URL: 'https://ems.example',
    SAML_METADATA: path.join(folder, 'provider.xml'),
    SAML_KEY: path.join(folder, 'own.key'),
    SAML_CERTIFICATE: path.join(folder, 'own.pem'),
    SAML_EMAIL_DOMAINS: 'university.example',
    SAML_TRUST_EMAIL: '1',
    SAML_TRUST_CODE: '1',
    SAML_ENTRIES: 'instructor, employee, student',
  }
  const config = readConfig(settings)
  provider = await openSamlProvider(await ownMetadata(config, config.saml!))
  // Two keys to check by: the next one of the provider stands there already.
  const [key] = /<KeyDescriptor use="signing">.*?<\/KeyDescriptor>/s.exec(provider.metadata)!
  const next = selfSigned('next').certificate.replace(/-----.*-----|\n/g, '')
  const doubled = key.replace(/(X509Certificate>)[^<]+/, `$1${next}`) + key
  await writeFile(path.join(folder, 'provider.xml'), provider.metadata.replace(key, doubled))
  w = await openSignIn(settings)
})
afterAll(async () => {
  await w?.close()
  await provider?.close()
  await rm(folder, { recursive: true, force: true })
})
const AS_IT_SHOULD = { change: () => {}, signs: 'right', seals: false }
const mapping = { identity: null, email: MAIL, code: CODE } as const
beforeEach(async () => {
  await w.empty()
  Object.assign(provider, AS_IT_SHOULD)
  await w.database.pool.query('insert into saml_mappings (issuer, email, code) values ($1, $2, $3)', [
    provider.entityId,
    mapping.email,
    mapping.code,
  ])
})

type Jar = Record<string, string>
type Form = Record<string, string>
/** Signs in at the provider: what its page posts to us. */
async function atProvider(url: string, login: string): Promise<Form> {
  const page = await (await fetch(url, { method: 'POST', body: new URLSearchParams({ login }) })).text()
  const form = Object.fromEntries(
    [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  )
  if (!form.SAMLResponse) throw new Error(`the provider says: ${page}`)
  return form
}
const away = async (jar: Jar): Promise<string> => (await w.send('GET', '/get-ms-login-url', { jar })).body.data.url
/** The page of the provider posts without any cookie; gives what we send the browser on with. */
async function posted(form: Form, at = w.one): Promise<Form> {
  const answer = await at.app.inject({
    method: 'POST',
    url: '/api/saml/acs',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(provider.entityId).origin,
      'sec-fetch-site': 'cross-site',
    },
    payload: new URLSearchParams(form).toString(),
  })
  if (answer.statusCode !== 303) throw new Error(`${answer.statusCode} ${answer.body}`)
  const to = new URL(String(answer.headers.location))
  expect(to.origin + to.pathname).toBe('https://ems.example/login')
  return Object.fromEntries(to.searchParams)
}
const fetched = (jar: Jar, returned: Form, at = w.one): Promise<Answer> =>
  w.send('POST', '/ms-login/callback', { jar, body: returned, at })
/** All of it, in one browser. */
async function bySaml(login: string, jar: Jar = {}, change: (form: Form) => Form = (form) => form): Promise<Answer> {
  return fetched(jar, await posted(change(await atProvider(await away(jar), login))))
}
const said = (answer: Answer) => [answer.status, answer.body.message]
const idOf = (answer: Answer): number | undefined => answer.body.data?.user?.id
const linked = async () => (await w.database.pool.query('select user_id, subject, linked_by from identities')).rows
const logged = async (): Promise<string[]> => {
  await w.one.services.security.stop()
  const { rows } = await w.database.pool.query<{ reason: string }>(
    `select data ->> 'reason' as reason from security_log where kind = 'sign_in_failed' order by id`,
  )
  return rows.map(({ reason }) => reason)
}
const rewritten = (form: Form, change: (xml: string) => string): Form => ({
  ...form,
  SAMLResponse: Buffer.from(change(Buffer.from(form.SAMLResponse!, 'base64').toString())).toString('base64'),
})

describe('single sign-on by SAML', () => {
  test('a vouched address links the account the first time; then the identity is enough', async () => {
    const id = await w.person('a@university.example')
    const jar: Jar = {}
    const first = await bySaml('a@university.example', jar)
    expect([first.status, idOf(first), typeof jar['__Host-session']]).toEqual([200, id, 'string'])
    expect(await linked()).toEqual([{ user_id: id, subject: 'a@university.example', linked_by: 'email' }])
    await w.database.pool.query(`update users set email = 'other@university.example' where id = $1`, [id])
    expect(idOf(await bySaml('a@university.example'))).toBe(id)
    expect((await w.send('GET', '/users/sessions', { jar })).body.data[0].signed_in_by).toBe('provider')
    // Of an account that is removed the identity is nobody's.
    await w.database.pool.query('update users set removed_at = now() where id = $1', [id])
    expect(said(await bySaml('a@university.example'))).toEqual([403, 'identity_unknown'])
  })

  test('what is encrypted for us is opened', async () => {
    const id = await w.person('a@university.example')
    provider.seals = true
    const form = await atProvider(await away({}), 'a@university.example')
    expect(Buffer.from(form.SAMLResponse!, 'base64').toString()).toMatch(/EncryptedAssertion(?!.*a@university)/s)
    expect(idOf(await bySaml('a@university.example'))).toBe(id)
  })

  test('what it says of itself has its addresses and its key, and wants assertions signed', async () => {
    const answer = await w.one.app.inject({ method: 'GET', url: '/api/saml/metadata' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'application/samlmetadata+xml; charset=utf-8',
    ])
    expect(answer.body).toContain('Location="https://ems.example/api/saml/acs"')
    expect(answer.body).toContain('WantAssertionsSigned="true"')
    expect(answer.body).toContain('use="encryption"')
    expect(answer.body).not.toContain('PRIVATE')
  })

  test('an unknown address, one of a foreign domain and an account that is blocked or of another kind stay out', async () => {
    await w.person('a@elsewhere.example')
    const id = await w.person('b@university.example')
    await w.person('c@university.example', { type: 4 })
    await w.database.pool.query('update users set blocked_at = now() where id = $1', [id])
    const refused = [
      ['a@elsewhere.example', 'identity_unknown'],
      ['nobody@university.example', 'identity_unknown'],
      ['b@university.example', 'account_blocked'],
      ['c@university.example', 'provider_entry'],
    ] as const
    for (const [login, code] of refused) expect(said(await bySaml(login)), login).toEqual([403, code])
    expect(await linked()).toEqual([])
    expect(await logged()).toEqual(refused.map(([, code]) => code))
  })

  test('an identity that belongs to somebody else is not linked anew, and one account has one', async () => {
    const a = await w.person('a@university.example')
    await w.person('b@university.example')
    await bySaml('a@university.example')
    const jar: Jar = {}
    await w.password('b@university.example', { jar })
    const link = async (login: string) => {
      const { url } = (await w.send('POST', '/users/identities/link', { jar })).body.data
      return fetched(jar, await posted(await atProvider(url, login)))
    }
    expect(said(await link('a@university.example'))).toEqual([409, 'identity_taken'])
    expect((await link('b-at-home')).body.data).toEqual({ linked: true })
    expect(said(await bySaml('b@university.example'))).toEqual([409, 'identity_second'])
    expect((await linked()).map((row) => [row.user_id === a, row.linked_by])).toEqual([
      [true, 'email'],
      [false, 'person'],
    ])
    expect(await logged()).toEqual(['identity_taken', 'identity_second'])
  })

  test('a vouched code links the account of its record; with an address of somebody else it links nobody', async () => {
    const [a] = [await w.person('a@university.example', { type: 1 }), await w.person('b@university.example')]
    await w.database.pool.query(
      `with f as (insert into faculties (code, name, name_local) values ('F', 'Science', 'علوم') returning id)
       insert into instructors (code, name, name_local, faculty_id, user_id) select 'I77', 'Ali', 'علي', id, $1 from f`,
      [a],
    )
    provider.change = (told) => {
      told.attributes = { ...told.attributes, [MAIL]: 'b@university.example' }
    }
    expect(said(await bySaml('I77'))).toEqual([403, 'identity_unknown'])
    expect(await linked()).toEqual([])
    provider.change = () => {}
    expect(idOf(await bySaml('I77'))).toBe(a)
    expect((await linked()).map((row) => row.linked_by)).toEqual(['code'])
  })

  // --- Signing out --------------------------------------------------------------------------------------------------

  const alive = async (jar: Jar, at = w.one) => (await w.send('GET', '/users/live-data', { jar, at })).status === 200
  /** What the provider sends the browser to us with. */
  const left = async ({ url, form }: Leave, at = w.one) => {
    const answer = await at.app.inject(
      form
        ? {
            method: 'POST',
            url: '/api/saml/slo',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            payload: new URLSearchParams(form).toString(),
          }
        : { method: 'GET', url: url.replace('https://ems.example', '') },
    )
    return { status: answer.statusCode, to: String(answer.headers.location ?? ''), body: answer.body }
  }

  test('who signs out at the provider is signed out here, in every browser and process, and nobody else', async () => {
    for (const byForm of [false, true]) {
      await w.empty()
      await w.database.pool.query('insert into saml_mappings (issuer, email, code) values ($1, $2, $3)', [
        provider.entityId,
        MAIL,
        CODE,
      ])
      await w.person('a@university.example')
      await w.person('b@university.example')
      const [one, two, other, own]: Jar[] = [{}, {}, {}, {}]
      await bySaml('a@university.example', one)
      await bySaml('a@university.example', two)
      await bySaml('b@university.example', other)
      await w.password('a@university.example', { jar: own! })
      // Somebody who is half in comes no further.
      const half: Jar = {}
      const waiting = await posted(await atProvider(await away(half), 'a@university.example'))
      const { status, to } = await left(provider.leave('a@university.example', { posted: byForm }))
      expect([status, to.split('?')[0]]).toEqual([303, provider.entityId.replace('/metadata', '/slo')])
      // It takes our signed answer, which names its request.
      expect(await (await fetch(to)).text()).toContain('Signed out')
      expect(new URL(to).searchParams.get('RelayState')).toBe('theirs')
      // Processes hear of it.
      await expect
        .poll(async () => [await alive(one!), await alive(two!, w.two), await alive(other!), await alive(own!)])
        .toEqual([false, false, true, true])
      expect((await fetched(half, waiting)).status).toBe(403)
    }
  })

  test('who signs out here is signed out there too, by a signed request that names the session', async () => {
    await w.person('a@university.example')
    const jar: Jar = {}
    await bySaml('a@university.example', jar)
    const before = { ...jar }
    const out = await w.send('POST', '/users/logout', { jar })
    const { url } = out.body.meta
    await expect.poll(() => alive(before)).toBe(false)
    const answer = await fetch(url, { redirect: 'manual' })
    expect([answer.status, provider.ended.at(-1)]).toEqual([302, 'a@university.example'])
    // Whatever the answer says, it leads to our own page.
    expect(await left({ url: answer.headers.get('location')!, form: null })).toMatchObject({
      status: 303,
      to: 'https://ems.example/login',
    })
    // Without its signature the provider takes nothing of it.
    expect((await fetch(url.replace(/&Signature=[^&]*/, ''), { redirect: 'manual' })).status).toBe(400)
    // Who came in by password has nothing to end there.
    const own: Jar = {}
    await w.password('a@university.example', { jar: own })
    expect((await w.send('POST', '/users/logout', { jar: own })).body).toEqual({ data: null })
  })

  test('a sign-out that is not signed by the provider, for another, late or shown twice ends nothing', async () => {
    await w.person('a@university.example')
    const jar: Jar = {}
    await bySaml('a@university.example', jar)
    const who = 'a@university.example'
    const refused = async (leave: Leave) => {
      const { status, body } = await left(leave)
      return [status, await alive(jar), body.includes('ems.example')]
    }
    const not = [403, true, false]
    const late = new Date(Date.now() - 600_000)
    for (const posted of [false, true]) {
      for (const change of [
        (l: Leaving) => void (l.issuer = 'https://other.example'),
        (l: Leaving) => void (l.destination = 'https://other.example/slo'),
        (l: Leaving) => void ((l.issuedAt = late), (l.notOnOrAfter = late)),
        (l: Leaving) => void (l.issuedAt = new Date(Date.now() + 600_000)),
      ])
        expect(await refused(provider.leave(who, { posted, change }))).toEqual(not)
      for (const signs of ['strange', 'weak'] as const) {
        provider.signs = signs
        expect(await refused(provider.leave(who, { posted })), signs).toEqual(not)
      }
      provider.signs = 'right'
    }
    const right = provider.leave(who)
    const changed = (change: (url: string) => string): Leave => ({ url: change(right.url), form: null })
    expect(await refused(changed((url) => url.replace(/&Signature=[^&]*/, '')))).toEqual(not)
    expect(await refused(changed((url) => url.replace('RelayState=theirs', 'RelayState=ours')))).toEqual(not)
    expect(await refused(changed((url) => `${url}&SAMLRequest=x`))).toEqual(not)
    const other = new URL(provider.leave('b@university.example').url).searchParams.get('SAMLRequest')!
    expect(
      await refused(changed((url) => url.replace(/SAMLRequest=[^&]*/, `SAMLRequest=${encodeURIComponent(other)}`))),
    ).toEqual(not)
    const form = provider.leave(who, { posted: true }).form!
    const bent = Buffer.from(
      Buffer.from(form.SAMLRequest!, 'base64').toString().replace(`>${who}<`, '>b@university.example<'),
    )
    expect(await refused({ url: '', form: { SAMLRequest: bent.toString('base64') } })).toEqual(not)
    const endless = Buffer.from(`<a>${'x'.repeat(65_000)}</a>`).toString('base64')
    expect(await refused({ url: '', form: { SAMLRequest: endless } })).toEqual(not)
    expect((await left(right)).status).toBe(303)
    await bySaml(who, jar)
    expect(await refused(right)).toEqual(not)
  })

  // --- Trouble ------------------------------------------------------------------------------------------------------

  const told = (change: (told: Told) => void) => () => {
    provider.change = change
  }
  const sealed = (signs: DemoSamlProvider['signs']) => Object.assign(provider, { signs, seals: true })
  const garbled = (f: Form) =>
    rewritten(f, (xml) => xml.replace(/(<(?:\w+:)?CipherValue>)[^<]{20}/, `$1${'A'.repeat(20)}`))
  const minutes = (n: number) => new Date(Date.now() + n * 60_000)
  /** The provider answers no, for this reason, and says nobody. */
  const answered = (why: string) => (xml: string) =>
    xml
      .replace(/<saml:Assertion .*<\/saml:Assertion>/s, '')
      .replace(
        /<samlp:StatusCode [^>]*>/,
        `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${why}"/></samlp:StatusCode>`,
      )
  const TROUBLE: readonly { what: string; code: string; before?: () => unknown; change?: (form: Form) => Form }[] = [
    {
      what: 'unsigned',
      code: 'saml_signature',
      change: (f) => rewritten(f, (xml) => xml.replace(/<ds:Signature.*<\/ds:Signature>/s, '')),
    },
    { what: 'signed by another key', code: 'saml_signature', before: () => (provider.signs = 'strange') },
    { what: 'signed with SHA-1', code: 'saml_signature', before: () => (provider.signs = 'weak') },
    {
      what: 'signed with SHA-1, written so that a search does not find it',
      code: 'saml_signature',
      before: () => (provider.signs = 'weak'),
      change: (f) => rewritten(f, (xml) => xml.replaceAll('rsa-sha1', 'rsa-s&#104;a1').replaceAll('SHA1', 'SHA&#x31;')),
    },
    { what: 'encrypted, signed by another key', code: 'saml_signature', before: () => sealed('strange') },
    { what: 'encrypted, signed with SHA-1', code: 'saml_signature', before: () => sealed('weak') },
    { what: 'encrypted, and not for us', code: 'saml_signature', change: garbled, before: () => sealed('right') },
    { what: 'signed around, not itself', code: 'saml_signature', before: () => (provider.signs = 'around') },
    {
      what: 'changed after it was signed',
      code: 'saml_signature',
      change: (f) => rewritten(f, (xml) => xml.replaceAll('a@university', 'b@university')),
    },
    { what: 'wrapped: ours beside the signed one', code: 'saml_signature', change: (f) => rewritten(f, wrapped) },
    { what: 'wrapped: the signed one inside ours', code: 'saml_signature', change: (f) => rewritten(f, wrappedInside) },
    {
      what: 'with entities',
      code: 'provider_answer',
      change: (f) => rewritten(f, (xml) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}`),
    },
    { what: 'no XML', code: 'provider_answer', change: (f) => rewritten(f, () => 'nothing') },
    {
      what: 'for another audience',
      code: 'saml_elsewhere',
      before: told((t) => (t.audience = 'https://other.example')),
    },
    {
      what: 'to another recipient',
      code: 'saml_elsewhere',
      before: told((t) => (t.recipient = 'https://other.example/acs')),
    },
    {
      what: 'to another destination',
      code: 'saml_elsewhere',
      before: told((t) => (t.destination = 'https://other.example/acs')),
    },
    { what: 'of another issuer', code: 'provider_answer', before: told((t) => (t.issuer = 'https://other.example')) },
    { what: 'answering another request', code: 'provider_state', before: told((t) => (t.request = '_another')) },
    { what: 'answering no request', code: 'provider_state', before: told((t) => (t.request = '')) },
    { what: 'over since three minutes', code: 'provider_clock', before: told((t) => (t.notOnOrAfter = minutes(-3))) },
    { what: 'beginning in three minutes', code: 'provider_clock', before: told((t) => (t.notBefore = minutes(3))) },
    {
      what: 'by a name that changes',
      code: 'saml_transient',
      before: told((t) => (t.nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient')),
    },
    { what: 'by no name', code: 'saml_unnamed', before: told((t) => (t.nameId = '')) },
    { what: 'by a name without end', code: 'saml_unnamed', before: told((t) => (t.nameId = 'n'.repeat(1001))) },
    { what: 'no: not signed in there', code: 'provider_denied', change: (f) => rewritten(f, answered('AuthnFailed')) },
    {
      what: 'no: something else',
      code: 'provider_refused',
      change: (f) => rewritten(f, answered('RequestUnsupported')),
    },
    { what: 'with a foreign relay state', code: 'provider_state', change: (f) => ({ ...f, RelayState: 'made-up' }) },
  ]
  test('answers that are not as they must be are refused in words, and the log tells each', async () => {
    await w.person('a@university.example')
    await w.person('b@university.example')
    for (const [i, { what, code, before, change }] of TROUBLE.entries()) {
      Object.assign(provider, AS_IT_SHOULD)
      before?.()
      const answer = await bySaml('a@university.example', {}, change)
      expect.soft(said(answer), what).toEqual([403, code])
      expect.soft(answer.body.error?.en, what).not.toContain('{')
      expect.soft(new Set((await logged()).slice(i)), what).toEqual(new Set([code]))
    }
    expect(await linked()).toEqual([])
  })

  test('clocks may differ by a minute and a half', async () => {
    const id = await w.person('a@university.example')
    for (const [from, until] of [
      [1.5, 5],
      [-5, -1.5],
    ] as const) {
      provider.change = (t) => Object.assign(t, { notBefore: minutes(from), notOnOrAfter: minutes(until) })
      expect(idOf(await bySaml('a@university.example'))).toBe(id)
    }
  })

  test('a comment in a name does not end it', async () => {
    const id = await w.person('a@university.example')
    // Who is called so at the provider is not `a@university.example`, wherever one stops to read.
    provider.change = (t) => Object.assign(t, { nameId: 'a@university.example<!-- -->.evil.example', attributes: {} })
    expect(said(await bySaml('a@university.example'))).toEqual([403, 'identity_unknown'])
    provider.change = (t) => Object.assign(t, { nameId: 'whole<!-- x -->-name' })
    expect(idOf(await bySaml('a@university.example'))).toBe(id)
    expect((await linked())[0].subject).toBe('whole-name')
  })

  test('an answer is taken once, over all processes, and only by the browser that was sent', async () => {
    await w.person('a@university.example')
    const jar: Jar = {}
    const form = await atProvider(await away(jar), 'a@university.example')
    const both = await Promise.all([posted(form, w.one), posted(form, w.two)])
    const answers = []
    for (const [i, returned] of both.entries()) {
      // The way back works once; the other answer has its own reason until then.
      const { rows } = await w.database.pool.query<{ refused: { code: string }[] | null }>(
        'select refused from provider_answers order by expires_at offset $1 limit 1',
        [i],
      )
      answers.push([rows[0]!.refused?.[0]?.code ?? null, returned.state === form.RelayState])
    }
    expect(answers.toSorted((a, b) => (a[0] === null ? -1 : b[0] === null ? 1 : 0))).toEqual([
      [null, true],
      ['saml_replayed', true],
    ])
    expect(await logged()).toContain('saml_replayed')
    // In another browser nothing comes of it, and it is used up.
    const other = await posted(await atProvider(await away(jar), 'a@university.example'))
    expect(said(await fetched({}, other))).toEqual([403, 'provider_state'])
    expect(said(await fetched(jar, other))).toEqual([403, 'provider_state'])
    // Somebody's answer in another's sign-in: what one comes for is one's own.
    const mine = await posted(await atProvider(await away(jar), 'a@university.example'))
    const theirs = await posted(await atProvider(await away({}), 'a@university.example'))
    expect(said(await fetched(jar, { ...mine, code: theirs.code! }))).toEqual([403, 'provider_state'])
  })

  test('who was not sent there does not come in, unless the installation allows it', async () => {
    const id = await w.person('a@university.example')
    provider.change = (t) => Object.assign(t, { request: '' })
    const { RelayState: _state, ...form } = await atProvider(await away({}), 'a@university.example')
    expect(said(await fetched({}, await posted(form)))).toEqual([403, 'provider_state'])
    const { saml } = w.one.services.config
    Object.assign(saml!, { unasked: true })
    try {
      const again = await posted(form)
      expect(idOf(await fetched({}, again))).toBe(id)
      expect(said(await fetched({}, again))).toEqual([403, 'provider_state'])
    } finally {
      Object.assign(saml!, { unasked: false })
    }
  })

  test('a code that the provider vouches for leads to the account of the record; with an address of another, to none', async () => {
    const [a, b] = [await w.person('a@university.example', { type: 1 }), await w.person('b@university.example')]
    await w.database.pool.query(`
      insert into faculties (id, code, name, name_local) overriding system value values (1, 'F', 'Faculty', 'كلية')`)
    await w.database.pool.query(
      `insert into instructors (code, name, name_local, faculty_id, user_id) values ('I-7', 'A', 'أ', 1, $1)`,
      [a],
    )
    provider.change = (t) => (t.attributes[MAIL] = 'b@university.example')
    expect(said(await bySaml('I-7'))).toEqual([403, 'identity_unknown'])
    provider.change = () => {}
    expect(idOf(await bySaml('I-7'))).toBe(a)
    expect(await linked()).toEqual([{ user_id: a, subject: 'I-7', linked_by: 'code' }])
    expect(b).not.toBe(a)
  })
})

describe('which attribute tells what', () => {
  test('is set by who may, tried with what came while somebody watched, and takes effect at once', async () => {
    await w.person('admin@university.example', { is_super_admin: true })
    await w.person('plain@university.example')
    const jar: Jar = {}
    await w.password('admin@university.example', { jar })
    const plain: Jar = {}
    await w.password('plain@university.example', { jar: plain })
    expect((await w.send('GET', '/single-sign-on/saml', { jar: plain })).status).toBe(403)
    const before = (await w.send('GET', '/single-sign-on/saml', { jar })).body.data
    expect([before.provider.entity_id, before.provider.certificates.length, before.trouble]).toEqual([
      provider.entityId,
      2,
      null,
    ])
    // Nothing is kept of who signs in before somebody asks for it.
    await bySaml('plain@university.example')
    expect((await w.send('GET', '/single-sign-on/saml', { jar })).body.data.samples).toEqual([])
    const watched = (await w.send('POST', '/single-sign-on/saml/watch', { jar })).body.data
    await bySaml('plain@university.example')
    const { samples } = (await w.send('GET', '/single-sign-on/saml', { jar })).body.data
    expect(samples[0].attributes[MAIL]).toEqual(['plain@university.example'])
    await w.database.pool.query(`update saml_samples set at = at - interval '61 minutes'`)
    expect((await w.send('GET', '/single-sign-on/saml', { jar })).body.data.samples).toEqual([])
    const body = { identity: MAIL, email: null, code: null, version: watched.mapping.version }
    expect((await w.send('PUT', '/single-sign-on/saml', { jar, body })).body.data.mapping.identity).toBe(MAIL)
    expect(said(await w.send('PUT', '/single-sign-on/saml', { jar, body }))).toEqual([409, 'changed_meanwhile'])
    provider.change = (t) => (t.attributes = {})
    expect(said(await bySaml('plain@university.example'))).toEqual([403, 'saml_unnamed'])
    const { rows } = await w.database.pool.query(
      `select action from audit_log where table_name = 'saml_mappings' order by id`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['insert', 'update', 'update'])
  })

  test('nothing is set where there is no provider, or its metadata cannot be read', async () => {
    await w.person('admin@university.example', { is_super_admin: true })
    const jar: Jar = {}
    await w.password('admin@university.example', { jar })
    const { saml } = w.one.services.config
    const unread = { metadata: path.join(folder, 'nowhere.xml'), entityId: null }
    const body = { identity: MAIL, email: null, code: null, version: 1 }
    for (const [at, code] of [
      [await w.process({ saml: null }), 'provider_missing'],
      [await w.process({ saml: { ...saml!, provider: unread } }), 'provider_away'],
    ] as const) {
      expect(said(await w.send('POST', '/single-sign-on/saml/watch', { jar, at }))).toEqual([409, code])
      expect(said(await w.send('PUT', '/single-sign-on/saml', { jar, body, at }))).toEqual([409, code])
      expect(said(await w.send('GET', '/get-ms-login-url', { at }))).toEqual([409, code])
    }
  })

  test('one value, or nobody', () => {
    const came = { nameId: 'n', nameIdFormat: null, attributes: { two: ['a', 'b'], one: [' a '], none: [] } }
    const by = (identity: string | null) => mapped(came, { identity, email: 'two', code: 'one' })
    expect([by(null).subject, by('one').subject, by('two').subject, by('none').subject, by('absent').subject]).toEqual([
      'n',
      'a',
      null,
      null,
      null,
    ])
    expect([by(null).email, by(null).code]).toEqual([null, 'a'])
  })

  test('who nobody vouches for by a bearer, or vouches for somewhere else or to another, is not believed', () => {
    const bearer = {
      method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      recipient: 'https://ems.example/acs',
      request: '_r',
      notBefore: null,
      notOnOrAfter: 1000,
    }
    const asserted = {
      id: '_a',
      issuer: 'idp',
      nameId: 'n',
      nameIdFormat: null,
      nameQualifier: null,
      spNameQualifier: null,
      sessionIndex: null,
      notBefore: null,
      notOnOrAfter: null,
      audiences: [['ems']],
      confirmations: [bearer],
      signedIn: true,
      attributes: {},
    }
    const expected = { issuer: 'idp', audience: 'ems', consumer: bearer.recipient, request: '_r', now: 0 }
    const of = (more: object) => assertionReasons({ ...asserted, ...more }, expected).map(({ code }) => code)
    expect(of({})).toEqual([])
    expect(of({ confirmations: [] })).toEqual(['provider_answer'])
    expect(of({ confirmations: [{ ...bearer, method: 'holder-of-key' }] })).toEqual(['provider_answer'])
    expect(of({ confirmations: [{ ...bearer, recipient: 'elsewhere' }] })).toEqual(['saml_elsewhere'])
    expect(of({ confirmations: [{ ...bearer, request: null }] })).toEqual(['provider_state'])
    expect(of({ confirmations: [{ ...bearer, notOnOrAfter: null }] })).toEqual(['provider_clock'])
    expect(of({ signedIn: false, audiences: [] })).toEqual(['provider_answer', 'saml_elsewhere'])
  })

  test('a code of another home organisation is nobody’s here', () => {
    const of = (code: string) => vouchedCode(code, ['university.example'])
    expect(of('20230017')).toBe('20230017')
    expect(of('urn:schac:personalUniqueCode:int:esi:University.example:20230017')).toBe('20230017')
    expect(of('urn:schac:personalUniqueCode:de:matrikelnummer:20230017')).toBe('20230017')
    for (const code of ['urn:schac:personalUniqueCode:int:esi:other.example:20230017', 'urn:x:20230017', 'a b', ''])
      expect(of(code)).toBeNull()
  })

  test('metadata of a federation need a name, and an XML with entities is none', () => {
    const two = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${provider.metadata.replace(/^<\?xml[^>]*>/, '')}${provider.metadata.replace(/^<\?xml[^>]*>/, '').replaceAll(provider.entityId, 'https://other.example')}</EntitiesDescriptor>`
    expect(() => providerIn(two, null)).toThrow('2 providers')
    expect(providerIn(two, 'https://other.example').entityId).toBe('https://other.example')
    expect(() => providerIn(`<!DOCTYPE x>${provider.metadata}`, null)).toThrow('document type')
  })
})

/** A second assertion of ours, the signed one kept where it was. */
function wrapped(xml: string): string {
  const [signed] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)!
  const evil = signed
    .replace(/<ds:Signature.*<\/ds:Signature>/s, '')
    .replace(/ ID="[^"]+"/, ' ID="_evil"')
    .replaceAll('a@university', 'b@university')
  return xml.replace(signed, evil + signed)
}
/** Ours in its place, with the signature of the other, which hides inside. */
function wrappedInside(xml: string): string {
  const [signed] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)!
  const [signature] = /<ds:Signature.*<\/ds:Signature>/s.exec(signed)!
  const hidden = signature.replace(
    '</ds:Signature>',
    `<ds:Object>${signed.replace(signature, '')}</ds:Object></ds:Signature>`,
  )
  const evil = signed
    .replace(signature, hidden)
    .replace(/ ID="[^"]+"/, ' ID="_evil"')
    .replaceAll('a@university', 'b@university')
  return xml.replace(signed, evil)
}
