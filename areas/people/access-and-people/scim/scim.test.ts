import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSignIn } from '#tests/sign-in-world.ts'
import { accessAndPeople } from '../access-and-people.contract.ts'
import type { SignInWorld } from '#tests/sign-in-world.ts'
import { FilterError, parseFilter, parsePath } from './filter.rules.ts'
import { chosen, groupChange, patchedPerson, personIn } from './resource.rules.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
let w: SignInWorld
/** Of an administrator who connects directories. */
let jar: Record<string, string>
let token: string
let directory: number
let maker: number
beforeAll(async () => {
  w = await openSignIn()
})
afterAll(() => w?.close())

const sql = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
/** Connected by somebody with a role of these rights, everywhere. */
async function connected(rights: readonly string[] = [], kinds = [2, 1]): Promise<void> {
  maker = await w.person('admin@university.example')
  await grant(maker, await role('connector', ['set_directories', ...rights]))
  jar = {}
  await w.password('admin@university.example', { jar })
  const made = await w.send('POST', '/directories', { jar, body: { name: 'Entra', kinds, days: 30 } })
  expect(made.status).toBe(200)
  ;({ token, id: directory } = made.body.data)
}
async function role(name: string, rights: readonly string[]): Promise<number> {
  const [{ id }] = (await sql('insert into roles (key, name, name_local) values ($1, $1, $1) returning id', [
    `own_${name}`,
  ])) as [{ id: number }]
  await sql(
    `insert into role_permissions (role_id, permission, reach) select $1, p, 'scope' from unnest($2::text[]) p`,
    [id, rights],
  )
  return id
}
const grant = (user: number, of: number) =>
  sql('insert into role_assignments (user_id, role_id) values ($1, $2)', [user, of])

interface Said {
  readonly status: number
  // oxlint-disable-next-line no-explicit-any -- any answer
  readonly body: any
  readonly headers: Readonly<Record<string, unknown>>
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
async function scim(
  method: Method,
  path: string,
  body?: unknown,
  { headers = {}, at = w.one, by = token }: { headers?: Record<string, string>; at?: typeof w.one; by?: string } = {},
): Promise<Said> {
  const answer = await at.app.inject({
    method,
    url: `/api/scim/v2${path}`,
    headers: {
      authorization: `Bearer ${by}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json() : null, headers: answer.headers }
}
/** SCIM tells a refusal in words, without its code. */
const words = (code: string) => accessAndPeople.errors[code]![0]
const of = (filter: string) => scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
const patch = (id: number | string, ...Operations: unknown[]) =>
  scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations })

/** As Microsoft Entra makes an account. */
const entra = (name: string, more: object = {}) => ({
  schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `oid-${name}`,
  userName: `${name}@university.example`,
  active: true,
  displayName: 'Mona Hassan',
  emails: [{ primary: true, type: 'work', value: `${name}@university.example` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Mona Hassan', familyName: 'Hassan', givenName: 'Mona' },
  title: 'Registrar',
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Registry' },
  ...more,
})

describe('many changes in one request', () => {
  const bulk = (Operations: unknown[], more: object = {}) =>
    scim('POST', '/Bulk', { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations, ...more })
  const make = (bulkId: string, more: object = {}) => ({
    method: 'POST',
    path: '/Users',
    bulkId,
    data: entra(bulkId, more),
  })
  const said = (answer: Said) => answer.body.Operations.map((one: { status: string }) => one.status)
  beforeEach(async () => {
    await w.empty()
    await connected()
  })

  test('each is done as it would be alone; what is made is named before it has an id, also by what stands before it', async () => {
    const { bulk: told } = (await scim('GET', '/ServiceProviderConfig')).body
    expect(told).toEqual({ supported: true, maxOperations: 500, maxPayloadSize: 1_000_000 })
    const answer = await bulk([
      {
        method: 'post',
        path: '/Groups',
        bulkId: 'g',
        data: { displayName: 'Registry', members: [{ value: 'bulkId:mona' }, { value: 'bulkId:ali' }] },
      },
      make('mona'),
      make('ali'),
      {
        method: 'PATCH',
        path: '/Users/bulkId:ali',
        data: { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] },
      },
      {
        method: 'PATCH',
        path: '/Groups/bulkId:g',
        data: { schemas: [PATCH], Operations: [{ op: 'remove', path: 'members[value eq "bulkId:mona"]' }] },
      },
    ])
    expect(answer.status).toBe(200)
    expect(said(answer)).toEqual(['201', '201', '201', '200', '200'])
    const [group, mona, ali] = answer.body.Operations
    expect(mona).toMatchObject({
      method: 'POST',
      bulkId: 'mona',
      location: expect.stringContaining('/Users/'),
      version: expect.stringContaining('W/'),
    })
    const idOf = (one: { location: string }) => one.location.split('/').at(-1)!
    expect(
      (await scim('GET', `/Groups/${idOf(group)}`)).body.members.map((one: { value: string }) => one.value),
    ).toEqual([idOf(ali)])
    expect((await scim('GET', `/Users/${idOf(ali)}`)).body.active).toBe(false)
    // Versions count one by one.
    const changes = [mona.version, 'W/"0.0"'].map((version) => ({
      method: 'PATCH',
      path: `/Users/${idOf(mona)}`,
      version,
      data: { schemas: [PATCH], Operations: [{ op: 'replace', path: 'externalId', value: 'x' }] },
    }))
    expect(said(await bulk(changes))).toEqual(['200', '412'])
    expect(said(await bulk([{ method: 'DELETE', path: `/Users/${idOf(mona)}` }, changes[0]]))).toEqual(['204', '404'])
  })

  test('what is refused stops no other, unless it is said after how many', async () => {
    const twice = [make('mona'), make('x', entra('mona')), make('ali'), make('y', entra('ali')), make('omar')]
    const first = await bulk(twice)
    expect(said(first)).toEqual(['201', '409', '201', '409', '201'])
    expect(first.body.Operations[1].response).toMatchObject({ status: '409', scimType: 'uniqueness' })
    expect(said(await bulk([make('mona'), make('new'), make('ali'), make('newer')], { failOnErrors: 2 }))).toEqual([
      '409',
      '201',
      '409',
    ])
    expect((await of('userName eq "newer@university.example"')).body.totalResults).toBe(0)
    const super_ = await w.person('root@university.example', { is_super_admin: true })
    expect(said(await bulk([{ method: 'DELETE', path: `/Users/${super_}` }]))).toEqual(['403'])
  })

  test('names that nothing has, that failed, that are given twice and that lead in a ring are told', async () => {
    const group = (bulkId: string, value: string) => ({
      method: 'POST',
      path: '/Groups',
      bulkId,
      data: { displayName: bulkId, members: [{ value }] },
    })
    const answer = await bulk([
      group('a', 'bulkId:nobody'),
      make('broken', { userName: '' }),
      group('b', 'bulkId:broken'),
      group('c', 'bulkId:d'),
      group('d', 'bulkId:c'),
      make('two'),
      make('two'),
      { method: 'GET', path: '/Users/1' },
      { method: 'PUT', path: '/Users' },
      { method: 'POST', path: '/Users', data: entra('unnamed') },
      { method: 'POST', path: '/Bulk', bulkId: 'z', data: {} },
    ])
    expect(said(answer)).toEqual(['400', '400', '409', '409', '409', '201', '400', '400', '400', '400', '400'])
    expect((await bulk([])).status).toBe(400)
    expect((await bulk(Array.from({ length: 501 }, () => make('many')))).status).toBe(413)
    expect((await scim('POST', '/Bulk', { Operations: [make('mona')] })).status).toBe(400)
    expect((await scim('POST', '/Bulk', 'x'.repeat(1_000_100))).status).toBe(413)
  })
})

describe('people of a directory', () => {
  beforeEach(async () => {
    await w.empty()
    await connected()
  })

  test('as Entra sends them: looked for, made, changed in its own ways, blocked, brought back', async () => {
    expect((await of('userName eq "mona@university.example"')).body).toMatchObject({ totalResults: 0, Resources: [] })
    const made = await scim('POST', '/Users', entra('mona'))
    expect(made.status).toBe(201)
    const { id } = made.body
    expect(made.body).toMatchObject({
      externalId: 'oid-mona',
      userType: 'employee',
      active: true,
      name: { givenName: 'Mona' },
    })
    expect([made.headers.location, made.headers.etag, made.headers['content-type']]).toEqual([
      `https://ems.example/api/scim/v2/Users/${id}`,
      made.body.meta.version,
      'application/scim+json; charset=utf-8',
    ])
    // Text for a flag, words in capitals, a path for each attribute, and a list of them without any.
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
    expect((await patch(id, { op: 'Add', path: 'active', value: 'True' })).body.active).toBe(true)
    const changed = await patch(
      id,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'mona.h@university.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Helmy' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'IT' },
      { op: 'replace', value: { displayName: 'Mona Helmy', 'name.givenName': 'Muna' } },
    )
    expect(changed.body).toMatchObject({
      displayName: 'Mona Helmy',
      name: { givenName: 'Muna', familyName: 'Helmy' },
      emails: [{ value: 'mona.h@university.example' }],
    })
    expect(await sql('select name, email from users where id = $1', [id])).toEqual([
      { name: 'Muna Helmy', email: 'mona.h@university.example' },
    ])
    // The same again changes nothing, and no line stands in the trail for it.
    const { version } = changed.body.meta
    const again = await patch(id, { op: 'Replace', path: 'displayName', value: 'Mona Helmy' })
    expect(again.body.meta.version).toBe(version)
    const trail = await sql(
      `select distinct actor_id, reason from audit_log where table_name = 'users' and record_id = $1`,
      [id],
    )
    expect(trail).toEqual([{ actor_id: null, reason: `directory Entra, token …${token.slice(-4)}` }])
  })

  test('as Okta sends them: whole, and blocked without a path', async () => {
    const { body } = await scim('POST', '/Users', {
      schemas: [USER],
      userName: 'omar@university.example',
      name: { givenName: 'عمر', familyName: 'سالم' },
      displayName: 'Omar Salem',
      emails: [{ primary: true, value: 'omar@university.example', type: 'work' }],
      externalId: '00u1',
      locale: 'en-US',
      groups: [],
      active: true,
      userType: 'instructor',
    })
    expect(await sql('select name, name_local, type from users where id = $1', [body.id])).toEqual([
      { name: 'Omar Salem', name_local: 'عمر سالم', type: 1 },
    ])
    const whole = await scim('PUT', `/Users/${body.id}`, { ...body, displayName: 'Omar S. Salem' })
    expect([whole.status, whole.body.displayName]).toEqual([200, 'Omar S. Salem'])
    const off = await patch(body.id, { op: 'replace', value: { active: false } })
    expect(off.body.active).toBe(false)
    expect((await scim('PUT', `/Users/${body.id}`, { ...body, userType: 'employee' })).body.scimType).toBe('mutability')
  })

  test('who is blocked is out at once; a block by the university is not lifted by a directory', async () => {
    const id = await w.person('a@university.example')
    const session: Record<string, string> = {}
    await w.password('a@university.example', { jar: session })
    expect((await w.send('GET', '/users/sessions', { jar: session, at: w.two })).status).toBe(200)
    expect((await patch(id, { op: 'replace', path: 'active', value: false })).status).toBe(200)
    expect((await w.send('GET', '/users/sessions', { jar: session, at: w.one })).status).toBe(401)
    await expect
      .poll(async () => (await w.send('GET', '/users/sessions', { jar: session, at: w.two })).status)
      .toBe(401)
    expect(await sql('select blocked_reason from users where id = $1', [id])).toEqual([{ blocked_reason: 'directory' }])
    // Nothing of it waits for the block to be lifted.
    expect(await sql('select from sessions where user_id = $1', [id])).toEqual([])
    await sql(`update users set blocked_reason = 'left' where id = $1`, [id])
    expect((await patch(id, { op: 'replace', path: 'active', value: true })).body.active).toBe(false)
    await sql(`update users set blocked_reason = 'directory' where id = $1`, [id])
    expect((await patch(id, { op: 'replace', path: 'active', value: true })).body.active).toBe(true)
  })

  test('an account bears the name of its record, and no address of another’s record', async () => {
    const id = await w.person('a@university.example', { type: 1 })
    await sql(
      `insert into faculties (id, code, name, name_local) overriding system value values (1, 'F', 'Faculty', 'كلية')`,
    )
    await sql(
      `insert into instructors (code, name, name_local, email, faculty_id, user_id)
       values ('I-1', 'Layla Fouad', 'ليلى فؤاد', 'a@university.example', 1, $1), ('I-2', 'Other', 'آخر', 'other@university.example', 1, null)`,
      [id],
    )
    const changed = await patch(id, { op: 'replace', value: { displayName: 'L. F.' } })
    expect([changed.status, changed.body.displayName]).toEqual([200, 'L. F.'])
    expect(await sql('select name from users where id = $1', [id])).toEqual([{ name: 'Layla Fouad' }])
    expect((await scim('POST', '/Users', entra('other'))).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
      detail: words('scim_unique'),
    })
  })

  test('deleted is blocked and not erased; made again it is the same account', async () => {
    const { body } = await scim('POST', '/Users', entra('mona'))
    expect((await scim('DELETE', `/Users/${body.id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${body.id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${body.id}`)).status).toBe(404)
    expect((await of('externalId eq "oid-mona"')).body.totalResults).toBe(0)
    expect(await sql('select blocked_at is not null as blocked from users where id = $1', [body.id])).toEqual([
      { blocked: true },
    ])
    const again = await scim('POST', '/Users', entra('mona'))
    expect([again.status, again.body.id, again.body.active]).toEqual([201, body.id, true])
  })

  test('twice the same, and two at the same moment in two processes: one account', async () => {
    const both = await Promise.all([
      scim('POST', '/Users', entra('mona'), { at: w.one }),
      scim('POST', '/Users', entra('mona'), { at: w.two }),
    ])
    expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const refused = both.find((one) => one.status === 409)!
    expect(refused.body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    })
    // Also with another name and the address of somebody, or the other way round.
    const other = await scim('POST', '/Users', entra('other'))
    expect(
      (
        await patch(other.body.id, {
          op: 'replace',
          path: 'emails[type eq "work"].value',
          value: 'MONA@university.example',
        })
      ).body.scimType,
    ).toBe('uniqueness')
    expect(
      (await patch(other.body.id, { op: 'replace', path: 'userName', value: 'Mona@university.example' })).body.scimType,
    ).toBe('uniqueness')
    expect((await patch(other.body.id, { op: 'replace', path: 'externalId', value: 'oid-mona' })).body.scimType).toBe(
      'uniqueness',
    )
  })

  test('what was read before may be older than what is changed', async () => {
    const { body } = await scim('POST', '/Users', entra('mona'))
    const headers = { 'if-match': body.meta.version as string }
    const change = (displayName: string) =>
      scim('PATCH', `/Users/${body.id}`, { Operations: [{ op: 'replace', value: { displayName } }] }, { headers })
    expect((await change('M. Hassan')).status).toBe(200)
    expect((await change('Somebody')).status).toBe(412)
    const fresh = await scim('GET', `/Users/${body.id}`)
    expect(
      (await scim('GET', `/Users/${body.id}`, undefined, { headers: { 'if-none-match': String(fresh.headers.etag) } }))
        .status,
    ).toBe(304)
  })

  test('lists: filtered, ordered, by pages, with what is asked for', async () => {
    for (const name of ['ali', 'basma', 'cyrine'])
      await scim(
        'POST',
        '/Users',
        entra(name, { displayName: `${name} Hassan`, name: { formatted: `${name} Hassan` } }),
      )
    await w.person('student@university.example', { type: 3 })
    const names = async (filter: string, more = '') =>
      (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)).body.Resources?.map(
        (one: { userName: string }) => one.userName.split('@')[0],
      )
    const since = new Date(Date.now() - 60_000).toISOString()
    for (const [filter, found] of [
      ['userName eq "ALI@university.example"', ['ali']],
      ['USERNAME sw "bas"', ['basma']],
      ['emails.value co "cyr"', ['cyrine']],
      ['emails[type eq "work" and value eq "ali@university.example"]', ['ali']],
      ['emails[type eq "home"]', []],
      ['externalId eq "oid-ali" or externalId eq "oid-basma"', ['ali', 'basma']],
      ['externalId eq "OID-ALI"', []],
      ['externalId pr and not (userName sw "ali")', ['basma', 'cyrine']],
      ['externalId pr and active eq false', []],
      [`externalId pr and meta.lastModified gt "${since}"`, ['ali', 'basma', 'cyrine']],
      ['userType eq "student"', []],
      ['userName eq "student@university.example"', []],
      ['userName eq "%"', []],
    ] as const)
      expect.soft(await names(filter), filter).toEqual(found)
    expect(await names('externalId pr', '&sortBy=userName&sortOrder=descending&startIndex=2&count=1')).toEqual([
      'basma',
    ])
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({
      totalResults: 4,
      itemsPerPage: 0,
      Resources: [],
    })
    const [short] = (await scim('GET', '/Users?filter=externalId%20pr&count=1&attributes=userName,name.formatted')).body
      .Resources
    expect(Object.keys(short).toSorted()).toEqual(['id', 'name', 'schemas', 'userName'])
    const search = await scim('POST', '/Users/.search', {
      filter: 'userName sw "ali"',
      excludedAttributes: ['emails', 'groups'],
    })
    expect([search.body.totalResults, 'emails' in search.body.Resources[0]]).toEqual([1, false])
  })

  test('what cannot be understood or kept is told in the words of the protocol', async () => {
    const { body } = await scim('POST', '/Users', entra('mona'))
    const active = { op: 'replace', path: 'active', value: true }
    const bad: readonly (readonly [Said, number, string])[] = [
      [await of('userName eq'), 400, 'invalidFilter'],
      [await of('password eq "x"'), 400, 'invalidFilter'],
      [await of(`${'('.repeat(60)}userName pr${')'.repeat(60)}`), 400, 'invalidFilter'],
      // What is compared, and how.
      [await of('userName gt null'), 400, 'invalidFilter'],
      [await of('active gt true'), 400, 'invalidFilter'],
      [await of('meta.created gt "yesterday"'), 400, 'invalidFilter'],
      [await of('meta.created co "2026-01-01T00:00:00Z"'), 400, 'invalidFilter'],
      [await scim('GET', '/Users?startIndex=first'), 400, 'invalidValue'],
      [await scim('GET', '/Users?sortBy=password'), 400, 'invalidValue'],
      [await scim('POST', '/Users', []), 400, 'invalidSyntax'],
      [await scim('POST', '/Users', entra('x', { displayName: 7 })), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { displayName: 'x'.repeat(201) })), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { emails: [{ value: 'nowhere' }] })), 400, 'invalidValue'],
      [await scim('POST', '/Groups', []), 400, 'invalidSyntax'],
      [await scim('POST', '/Groups', { displayName: ' ' }), 400, 'invalidValue'],
      [await scim('POST', '/Groups', { displayName: 'G', members: [{ value: 'Mona' }] }), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { userName: '' })), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { userType: 'student' })), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { userName: 'x', emails: [] })), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { displayName: '<b>x</b>' })), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { displayName: '=cmd|calc' })), 400, 'invalidValue'],
      [await scim('POST', '/Users', entra('x', { displayName: ' @SUM(A1)' })), 400, 'invalidValue'],
      [await patch(body.id, { op: 'move', path: 'active', value: true }), 400, 'invalidSyntax'],
      [await scim('PATCH', `/Users/${body.id}`, { Operations: [] }), 400, 'invalidSyntax'],
      [
        await scim('PATCH', `/Users/${body.id}`, { schemas: ['urn:other'], Operations: [active] }),
        400,
        'invalidSyntax',
      ],
      [
        await scim('PATCH', `/Users/${body.id}`, { Operations: Array.from({ length: 1001 }, () => active) }),
        400,
        'invalidValue',
      ],
      [await scim('PUT', `/Users/${body.id}`, entra('mona', { userType: 'Instructor' })), 400, 'mutability'],
      [await patch(body.id, { op: 'replace', path: 'active', value: 'perhaps' }), 400, 'invalidValue'],
      [await patch(body.id, { op: 'replace', value: 'x' }), 400, 'invalidValue'],
      [await patch(body.id, { op: 'replace', path: 'userType', value: 'instructor' }), 400, 'mutability'],
      [await patch(body.id, { op: 'replace', path: 'emails[type eq', value: 'x' }), 400, 'invalidPath'],
      [await patch(body.id, { op: 'remove' }), 400, 'noTarget'],
      [await patch(body.id, { op: 'replace', path: 'id', value: '7' }), 400, 'mutability'],
    ]
    for (const [i, [answer, status, type]] of bad.entries())
      expect
        .soft([answer.status, answer.body.scimType, answer.body.status], String(i))
        .toEqual([status, type, String(status)])
    expect((await scim('GET', '/Users/nobody')).status).toBe(404)
    expect((await scim('GET', '/Nothing')).body.status).toBe('404')
    expect((await scim('GET', '/ResourceTypes/Nothing')).status).toBe(404)
    // Nothing was made of any of it.
    expect(await sql(`select email from users where id > $1`, [Number(body.id)])).toEqual([])
    expect(await sql('select id from scim_groups')).toEqual([])
    const broken = await w.one.app.inject({
      method: 'POST',
      url: '/api/scim/v2/Users',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      payload: '{',
    })
    expect([broken.statusCode, broken.json().schemas]).toEqual([400, ['urn:ietf:params:scim:api:messages:2.0:Error']])
  })

  test('students only where that was chosen; super admins and those with more rights than the maker never', async () => {
    const student = await w.person('s@university.example', { type: 3 })
    expect((await scim('GET', `/Users/${student}`)).status).toBe(404)
    const boss = await w.person('boss@university.example', { is_super_admin: true })
    const dean = await w.person('dean@university.example')
    await grant(dean, await role('dean', ['edit_faculty']))
    for (const id of [boss, dean]) {
      expect((await patch(id, { op: 'replace', path: 'active', value: false })).status).toBe(403)
      expect(
        (await patch(id, { op: 'replace', path: 'emails', value: [{ value: 'mine@elsewhere.example' }] })).status,
      ).toBe(403)
      expect((await scim('DELETE', `/Users/${id}`)).status).toBe(403)
      // Known by the directory they may be.
      expect((await patch(id, { op: 'add', path: 'externalId', value: `oid-${id}` })).status).toBe(200)
    }
    expect(await sql('select id from users where blocked_at is not null or email like $1', ['%elsewhere%'])).toEqual([])
    // Also when the maker of the token may do everything.
    await sql('update users set is_super_admin = true where id = $1', [maker])
    const refused = await patch(boss, { op: 'replace', path: 'active', value: false })
    expect([refused.status, refused.body.detail]).toEqual([403, words('scim_super')])
    expect((await patch(dean, { op: 'replace', path: 'active', value: false })).status).toBe(200)
    await sql('update scim_directories set kinds = $1 where id = $2', [[2, 3], directory])
    expect((await scim('GET', `/Users/${student}`)).body.userType).toBe('student')
  })
})

describe('a token', () => {
  beforeEach(async () => {
    await w.empty()
    await connected()
  })
  const users = (by: string) => scim('GET', '/Users', undefined, { by })

  test('opens SCIM and nothing else, until it is over or revoked; a session opens no SCIM', async () => {
    expect((await users(token)).status).toBe(200)
    expect((await w.send('GET', '/users/live-data', { token })).status).toBe(401)
    const session = jar['__Host-session']!
    for (const by of [session, 'scim_made-up', '', `${token}x`]) {
      const answer = await users(by)
      expect([answer.status, answer.headers['www-authenticate'], answer.body.detail]).toEqual([
        401,
        'Bearer',
        words('scim_token'),
      ])
    }
    const cookie = { cookie: `__Host-session=${session}`, authorization: '' }
    expect((await scim('GET', '/Users', undefined, { headers: cookie })).status).toBe(401)
    const [{ id, last_used_at, token_hash }] = (await sql('select * from scim_tokens')) as [
      { id: number; last_used_at: string; token_hash: Buffer },
    ]
    expect([last_used_at !== null, token_hash.toString().includes(token)]).toEqual([true, false])
    const second = (await w.send('POST', `/directories/${directory}/tokens`, { jar, body: { days: 1 } })).body.data
      .token
    expect((await w.send('DELETE', `/directories/tokens/${id}`, { jar })).status).toBe(200)
    expect([(await users(token)).status, (await users(second)).status]).toEqual([401, 200])
    await sql(`update scim_tokens set expires_at = now() - interval '1 second' where revoked_at is null`)
    expect((await users(second)).status).toBe(401)
    const listed = (await w.send('GET', '/directories', { jar })).body
    expect(JSON.stringify(listed)).not.toContain(token)
    const plain = {}
    await w.person('plain@university.example')
    await w.password('plain@university.example', { jar: plain })
    expect(
      (await w.send('POST', '/directories', { jar: plain, body: { name: 'x', kinds: [2], days: 1 } })).status,
    ).toBe(403)
  })

  test('of somebody who has left gives and changes nothing of others', async () => {
    const { body } = await scim('POST', '/Users', entra('mona'))
    await sql('update users set blocked_at = now() where id = $1', [maker])
    const answer = await patch(body.id, { op: 'replace', path: 'active', value: false })
    expect([answer.status, answer.body.detail]).toEqual([403, words('scim_maker')])
  })

  test('describes what it opens', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: true },
      etag: { supported: true },
    })
    expect((await scim('GET', '/ResourceTypes')).body.totalResults).toBe(2)
    const { Resources } = (await scim('GET', '/Schemas')).body
    expect(Resources.map((one: { name: string }) => one.name)).toEqual([
      'User',
      'Group',
      'ServiceProviderConfig',
      'ResourceType',
      'Schema',
    ])
    for (const { id, name } of Resources) expect((await scim('GET', `/Schemas/${id}`)).body.name).toBe(name)
    // Kinds of accounts are those of this directory.
    const kinds = Resources[0].attributes.find((one: { name: string }) => one.name === 'userType').canonicalValues
    const [{ kinds: own }] = (await sql('select kinds from scim_directories where id = $1', [directory])) as [
      { kinds: number[] },
    ]
    expect(kinds).toHaveLength(own.length)
    for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
        expect([path, method, (await scim(method, path, {})).status]).toEqual([path, method, 405])
    const nowhere = await scim('GET', '/4b1d8a56')
    expect([nowhere.status, nowhere.body.schemas, nowhere.body.status]).toEqual([
      404,
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
      '404',
    ])
    expect((await scim('GET', `/Schemas/${USER}`)).body.name).toBe('User')
  })
})

/** As a public tester of the protocol does: what the schemas say of an attribute is what happens to it. */
describe('schemas are what is done', () => {
  interface Described {
    name: string
    type: string
    multiValued: boolean
    required: boolean
    mutability: string
    canonicalValues?: string[]
    subAttributes?: Described[]
  }
  let n = 0
  const value = (one: Described, whom: string): unknown => {
    n++
    if (one.type === 'boolean') return n % 2 === 0
    if (one.type === 'complex') {
      const inner = Object.fromEntries(
        one
          .subAttributes!.filter((sub) => sub.mutability !== 'readOnly')
          .map((sub) => [sub.name, value(sub, one.name)]),
      )
      return one.multiValued ? [inner] : inner
    }
    if (one.canonicalValues?.length) return one.canonicalValues[0]
    return whom === 'emails' ? `some-${n}@university.example` : `some ${n}`
  }
  const held = (actual: any, expected: any): boolean =>
    Array.isArray(expected)
      ? expected.every((one, i) => held(actual?.[i], one))
      : typeof expected === 'object' && expected !== null
        ? Object.entries(expected).every(([key, inner]) => held(actual?.[key], inner))
        : actual === expected

  test.each(['User', 'Group'])(
    '%s: made of what is required, each attribute added, replaced and removed',
    async (type) => {
      await w.empty()
      await connected()
      const { Resources } = (await scim('GET', '/Schemas')).body as {
        Resources: { name: string; attributes: Described[] }[]
      }
      const { attributes } = Resources.find((one) => one.name === type)!
      const member = type === 'Group' ? (await scim('POST', '/Users', entra('mona'))).body : null
      // A member is named by its reference, whatever else stands there.
      const of = (one: Described): unknown =>
        one.name === 'members' ? [{ value: 'not an id', $ref: member.meta.location }] : value(one, '')
      const made = await scim(
        'POST',
        `/${type}s`,
        Object.fromEntries(attributes.filter((one) => one.required).map((one) => [one.name, of(one)])),
      )
      expect(made.status).toBe(201)
      const path = `/${type}s/${made.body.id}`
      const wrong: string[] = []
      const is = (one: Described, said: unknown, body: any) =>
        one.name === 'members' ? body.members?.[0]?.value === member.id : held(body[one.name], said)
      const change = async (one: Described, op: string, said?: unknown) => {
        const answer = await scim('PATCH', path, {
          Operations: [{ op, path: one.name, ...(said !== undefined && { value: said }) }],
        })
        const again = await scim('GET', path)
        const gone = ({ body }: { body: any }) =>
          body[one.name] === undefined || (Array.isArray(body[one.name]) && !body[one.name].length)
        if (op !== 'remove') {
          if (answer.status !== 200 || !is(one, said, answer.body) || !is(one, said, again.body))
            wrong.push(
              `${op} ${one.name}: ${answer.status} ${JSON.stringify(answer.body[one.name] ?? answer.body.detail)}`,
            )
        } else if (one.required || one.mutability === 'immutable') {
          if (answer.status !== 400 || gone(again)) wrong.push(`remove ${one.name}, which is needed: ${answer.status}`)
        } else if (answer.status !== 200 || !gone(answer) || !gone(again))
          wrong.push(`remove ${one.name}: ${answer.status} ${JSON.stringify(again.body[one.name])}`)
      }
      const writable = attributes.filter((one) => one.mutability !== 'readOnly')
      for (const one of writable) {
        if (one.mutability === 'readWrite') {
          await change(one, 'add', of(one))
          await change(one, 'replace', of(one))
        }
        await change(one, 'remove')
      }
      expect(wrong).toEqual([])
      const filled = Object.fromEntries(writable.map((one) => [one.name, of(one)]))
      const put = await scim('PUT', path, { ...made.body, ...filled })
      expect([
        put.status,
        writable.filter((one) => !is(one, filled[one.name], put.body)).map((one) => one.name),
      ]).toEqual([200, []])
      // What is told is described.
      const known = new Set([...attributes.map((one) => one.name), 'schemas', 'id', 'meta', 'externalId'])
      expect(Object.keys(put.body).filter((name) => !known.has(name))).toEqual([])
      for (const one of attributes.filter((each) => each.type === 'complex'))
        for (const inner of [put.body[one.name] ?? []].flat())
          expect(Object.keys(inner).filter((name) => !one.subAttributes!.some((sub) => sub.name === name))).toEqual([])
      // A search through everything finds it, and tells of it only what is asked.
      const asked = await scim('POST', '/.search', { attributes: ['displayName'], count: 200 })
      const [found] = asked.body.Resources.filter(
        (one: { id: string; schemas: string[] }) => one.id === made.body.id && one.schemas[0]!.endsWith(type),
      )
      expect(Object.keys(found).toSorted()).toEqual(['displayName', 'id', 'schemas'])
    },
  )

  test('a search through both goes on from people to groups, and an attribute of one finds nothing of the other', async () => {
    await w.empty()
    await connected()
    for (const name of ['mona', 'ali']) await scim('POST', '/Users', entra(name))
    for (const displayName of ['Registry', 'Finance']) await scim('POST', '/Groups', { displayName })
    const search = async (body: object) => (await scim('POST', '/.search', body)).body
    const all = await search({ filter: 'displayName pr' })
    const kinds = all.Resources.map((one: { meta: { resourceType: string } }) => one.meta.resourceType)
    const people = kinds.filter((kind: string) => kind === 'User').length
    expect([all.totalResults, kinds.slice(people)]).toEqual([people + 2, ['Group', 'Group']])
    const second = await search({ filter: 'displayName pr', startIndex: people + 2, count: 5 })
    expect([second.totalResults, second.itemsPerPage, second.Resources[0].displayName]).toEqual([
      people + 2,
      1,
      'Finance',
    ])
    const first = await search({ filter: 'displayName pr', startIndex: people, count: 2 })
    expect(first.Resources.map((one: { meta: { resourceType: string } }) => one.meta.resourceType)).toEqual([
      'User',
      'Group',
    ])
    const [mona] = (await search({ filter: 'userName sw "mona"' })).Resources
    expect(mona.userName).toContain('mona')
    expect((await search({ filter: 'nothing eq "x"' })).scimType).toBe('invalidFilter')
  })

  test('a new name is the name everywhere: in its parts, as a whole, and here in both scripts where they were one', async () => {
    await w.empty()
    await connected()
    const { body } = await scim('POST', '/Users', entra('mona'))
    const renamed = await patch(body.id, { op: 'replace', path: 'name.familyName', value: 'Salem' })
    expect([renamed.body.name, renamed.body.displayName]).toEqual([
      { formatted: 'Mona Salem', givenName: 'Mona', familyName: 'Salem' },
      'Mona Salem',
    ])
    expect(await sql('select name, name_local from users where id = $1', [body.id])).toEqual([
      { name: 'Mona Salem', name_local: 'Mona Salem' },
    ])
    // An Arabic name is another name: it is kept until the directory says it.
    await sql(`update users set name_local = 'منى حسن' where id = $1`, [body.id])
    await patch(body.id, { op: 'replace', path: 'name.familyName', value: 'Fahmy' })
    expect(await sql('select name, name_local from users where id = $1', [body.id])).toEqual([
      { name: 'Mona Fahmy', name_local: 'منى حسن' },
    ])
    // Who took the name for showing keeps it.
    await patch(body.id, { op: 'replace', path: 'displayName', value: 'Dr Mona' })
    expect((await patch(body.id, { op: 'replace', path: 'name.familyName', value: 'Adel' })).body.displayName).toBe(
      'Dr Mona',
    )
    // Nothing said is no new name.
    await patch(body.id, { op: 'remove', path: 'name' }, { op: 'remove', path: 'displayName' })
    expect((await sql('select name from users where id = $1', [body.id]))[0]).toEqual({ name: 'Mona Adel' })
  })
})

describe('groups', () => {
  let registrar: number
  let [a, b] = [0, 0]
  let group: string
  const members = (...ids: number[]) => ids.map((id) => ({ value: String(id) }))
  const patchGroup = (...Operations: unknown[]) => scim('PATCH', `/Groups/${group}`, { schemas: [PATCH], Operations })
  const holders = async () =>
    (await sql('select user_id from role_assignments where role_id = $1 order by 1', [registrar])).map(
      (row) => row.user_id,
    )
  const map = (role_id: number | null, at = group) =>
    w.send('PUT', `/directories/groups/${at}`, { jar, body: { role_id } })
  beforeEach(async () => {
    await w.empty()
    await connected(['access_users'])
    registrar = await role('registrar', ['access_users'])
    a = await w.person('a@university.example')
    b = await w.person('b@university.example')
    const made = await scim('POST', '/Groups', { displayName: 'Registry', externalId: 'g1', members: members(a) })
    expect(made.status).toBe(201)
    group = made.body.id
  })

  test('give no role before somebody has mapped it; then members come and go as Entra and Okta say it', async () => {
    expect(await holders()).toEqual([])
    expect((await map(registrar)).status).toBe(200)
    expect(await holders()).toEqual([a])
    await patchGroup({ op: 'Add', path: 'members', value: members(b) })
    expect(await holders()).toEqual([a, b])
    expect(
      (await scim('GET', `/Groups?filter=${encodeURIComponent(`members.value eq "${b}"`)}&excludedAttributes=members`))
        .body.Resources[0].displayName,
    ).toBe('Registry')
    await patchGroup({ op: 'Remove', path: 'members', value: members(a) })
    expect(await holders()).toEqual([b])
    await patchGroup({ op: 'remove', path: `members[value eq "${b}"]` })
    expect(await holders()).toEqual([])
    await patchGroup({ op: 'replace', value: { id: group, displayName: 'Registrars' } }).then((answer) =>
      expect(answer.body.scimType).toBe('mutability'),
    )
    await patchGroup(
      { op: 'replace', path: 'members', value: members(a, b) },
      { op: 'replace', value: { displayName: 'Registrars' } },
    )
    expect(await holders()).toEqual([a, b])
    expect((await scim('GET', `/Users/${a}`)).body.groups).toEqual([{ value: group, display: 'Registrars' }])
    expect((await scim('DELETE', `/Users/${a}`)).status).toBe(204)
    expect(await holders()).toEqual([b])
    await map(null)
    expect(await holders()).toEqual([])
    const trail = await sql(
      `select distinct reason from audit_log where table_name = 'role_assignments' and actor_id is null and reason like 'directory%'`,
    )
    expect(trail.length).toBe(1)
  })

  test('a role held by hand, or by another group, stays', async () => {
    await grant(b, registrar)
    await map(registrar)
    const other = await scim('POST', '/Groups', { displayName: 'Second', members: members(a, b) })
    await map(registrar, other.body.id)
    await patchGroup({ op: 'remove', path: 'members' })
    expect(await holders()).toEqual([a, b])
    expect((await scim('DELETE', `/Groups/${other.body.id}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${other.body.id}`)).status).toBe(404)
    expect(await holders()).toEqual([b])
  })

  test('never the role of super admins, one that makes them, nor one that the maker could not give', async () => {
    const [{ id: all }] = (await sql(`select id from roles where key = 'super_admin'`)) as [{ id: number }]
    expect((await map(all)).body.message).toBe('directory_role')
    expect((await map(await role('makes', ['assign_super_admin']))).body.message).toBe('directory_role')
    expect((await map(await role('dean', ['edit_faculty']))).body.message).toBe('right_not_held')
    const unknown = await map(999_999)
    expect([unknown.status, unknown.body.errors[0].code]).toEqual([422, 'role_unknown'])
    // Mapped while it could be given; the token's maker holds it no more when somebody comes.
    await map(registrar)
    await sql(
      `delete from role_permissions where permission = 'access_users' and role_id in (select id from roles where name = 'own_connector')`,
    )
    const answer = await patchGroup({ op: 'add', path: 'members', value: members(b) })
    expect(answer.status).toBe(403)
    expect([await holders(), (await scim('GET', `/Groups/${group}`)).body.members.length]).toEqual([[a], 1])
    // A role that makes super admins by now is taken, and given to nobody, whoever made the token.
    await sql('update users set is_super_admin = true where id = $1', [maker])
    await sql(`insert into role_permissions (role_id, permission, reach) values ($1, 'assign_super_admin', 'scope')`, [
      registrar,
    ])
    expect((await patchGroup({ op: 'replace', path: 'members', value: members(b) })).status).toBe(200)
    expect(await holders()).toEqual([])
  })

  test('give nothing to who made the token that he or she does not hold', async () => {
    const group = (
      await scim('POST', '/Groups', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Own' })
    ).body
    // What the maker has held since yesterday may be given to others, and not to the own account by another role.
    const held = await role('held', ['show_mark'])
    const more = await role('more', ['show_mark'])
    await sql('insert into role_assignments (user_id, role_id, valid_from) values ($1, $2, university_today() - 1)', [
      maker,
      held,
    ])
    await sql('update scim_groups set role_id = $1 where id = $2', [more, Number(group.id)])
    const put = await scim('PATCH', `/Groups/${group.id}`, {
      schemas: [PATCH],
      Operations: [{ op: 'add', path: 'members', value: [{ value: String(maker) }] }],
    })
    expect(put.status).toBe(403)
    expect(await sql('select from role_assignments where role_id = $1', [more])).toEqual([])
  })

  test('a directory that is ended opens nothing, and its roles are taken', async () => {
    await map(registrar)
    expect((await w.send('DELETE', `/directories/${directory}`, { jar })).status).toBe(200)
    expect([await holders(), (await scim('GET', '/Users')).status]).toEqual([[], 401])
  })

  test('two with one name, a member who is nobody, and an older version are refused', async () => {
    expect((await scim('POST', '/Groups', { displayName: 'REGISTRY' })).body.scimType).toBe('uniqueness')
    // Nor one that comes to the name, or what the directory calls it, of another.
    const other = await scim('POST', '/Groups', { displayName: 'Second', externalId: 'g2' })
    for (const value of [{ displayName: 'registry' }, { externalId: 'g1' }]) {
      const changed = await scim('PATCH', `/Groups/${other.body.id}`, {
        schemas: [PATCH],
        Operations: [{ op: 'replace', value }],
      })
      expect([changed.status, changed.body.scimType]).toEqual([409, 'uniqueness'])
    }
    expect((await patchGroup({ op: 'add', path: 'members', value: members(2_000_000) })).body.scimType).toBe(
      'invalidValue',
    )
    const headers = { 'if-match': 'W/"0"' }
    expect((await scim('DELETE', `/Groups/${group}`, undefined, { headers })).status).toBe(412)
  })
})

describe('what directories write', () => {
  test('filters and paths as a tree', () => {
    expect(parseFilter('a eq "x" or b pr and not (c co "y \\"z\\"")')).toEqual({
      op: 'or',
      left: { op: 'eq', attribute: 'a', value: 'x' },
      right: {
        op: 'and',
        left: { op: 'pr', attribute: 'b' },
        right: { op: 'not', of: { op: 'co', attribute: 'c', value: 'y "z"' } },
      },
    })
    expect(parsePath('emails[type eq "work"].value')).toEqual({
      attribute: 'emails',
      filter: { op: 'eq', attribute: 'type', value: 'work' },
      sub: 'value',
    })
    expect(parsePath(`${USER}:name.givenName`)).toEqual({ attribute: 'name', filter: null, sub: 'givenname' })
    for (const wrong of ['', 'a', 'a eq', 'a eq "x', 'a is "x"', '(a pr', 'a pr)', 'a pr b pr', 'a[b pr', 'a eq {}'])
      expect(() => parseFilter(wrong), wrong).toThrow(FilterError)
    const many = (n: number) => Array.from({ length: n }, () => 'a pr').join(' and ')
    expect(parseFilter(many(40)).op).toBe('and')
    for (const wrong of [many(41), `a eq "${'x'.repeat(4000)}"`, 'not a pr'])
      expect(() => parseFilter(wrong), wrong).toThrow(FilterError)
    // What follows a condition is one part of an entry, and a condition is on a list, not on a part of one.
    for (const wrong of ['', 'a.b[c pr].d', 'a[c pr].b.c', 'a[c pr]b', 'a[c pr].b d', 'a[c pr', 'a b', '[c pr]'])
      expect(() => parsePath(wrong), wrong).toThrow(FilterError)
  })

  test('one address, whichever way it is said', () => {
    const before = { userName: 'u', emails: [{ value: 'a@x.example', type: 'work', primary: true }] }
    const after = (...Operations: unknown[]) => personIn(patchedPerson(before, { Operations })).email
    expect(after({ op: 'replace', path: 'emails[primary eq true].value', value: 'b@x.example' })).toBe('b@x.example')
    expect(after({ op: 'replace', path: 'emails.value', value: 'b@x.example' })).toBe('b@x.example')
    expect(
      after({
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'h@x.example', type: 'home' },
          { value: 'b@x.example', type: 'work' },
        ],
      }),
    ).toBe('b@x.example')
    // Another kind stands beside it in the directory, and is not kept.
    expect(after({ op: 'add', path: 'emails[type eq "home"].value', value: 'h@x.example' })).toBe('a@x.example')
    expect(after({ op: 'remove', path: 'emails[type eq "work"]' })).toBeNull()
    // An entry has no list of its own, and texts are not more or less than others.
    for (const path of ['emails[type[a pr]]', 'emails[type gt "work"]'])
      expect(() => after({ op: 'remove', path }), path).toThrow(FilterError)
  })

  test('members who come and go in one change, in its order', () => {
    const change = groupChange({
      Operations: [
        { op: 'add', path: 'members', value: [{ value: '1' }, { value: '2' }] },
        { op: 'remove', path: 'members[value eq "1"]' },
      ],
    })
    expect([change.add, change.remove]).toEqual([[2], [1]])
    for (const path of ['members[value pr]', 'members[display eq "1"]'])
      expect(() => groupChange({ Operations: [{ op: 'remove', path }] }), path).toThrow('members are chosen by')
    expect(chosen({ schemas: [], id: '1', a: { b: 1, c: 2 }, d: 1 }, { attributes: 'a.b' })).toEqual({
      schemas: [],
      id: '1',
      a: { b: 1 },
    })
  })
})
