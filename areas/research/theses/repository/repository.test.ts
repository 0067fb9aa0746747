/** The repository: deposits, the public search, withdrawal, and what a validator of OAI-PMH asks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { hashPassword } from '#kit/server/identity/passwords.ts'
import { ok, reasons, testUniversity, type Answer, type TestUniversity } from '#tests/university.ts'
import { thesisWorld, type ThesisWorld } from '../testing.server.ts'
import { searched } from './repository.server.ts'

const PASSWORD = 'three quiet rivers'
let u: TestUniversity
let w: ThesisWorld
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const open = (path: string) => u.app.inject({ url: `/api${path}` })
const oai = async (query: string) => {
  const answer = await open(`/oai?${query}`)
  expect([answer.statusCode, String(answer.headers['content-type'])]).toEqual([200, 'text/xml; charset=utf-8'])
  return answer.body
}
const codes = (body: string) => [...body.matchAll(/<error code="(\w+)"/g)].map(([, code]) => code)
const identifiers = (body: string) => [...body.matchAll(/<identifier>([^<]+)<\/identifier>/g)].map(([, id]) => id)

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await thesisWorld(u)
})
afterAll(() => u.close())

/** A deposited thesis. */
async function deposited(more: object = {}) {
  const of = await w.granted()
  const { handle } = ok(await w.registrar('POST', `/theses/deposit/${of.id}`, { licence: 'cc-by', ...more }))
  return { ...of, handle: handle as string }
}
const withdraw = (id: number, reason = 'Court order 118') => w.registrar('POST', `/theses/withdraw/${id}`, { reason })

describe('a deposit', () => {
  test('is of a granted thesis, once, with both abstracts', async () => {
    const { id } = await w.discussed()
    expect(said(await w.registrar('POST', `/theses/deposit/${id}`, { licence: 'reserved' }))).toEqual([
      409,
      ['thesis_deposit_state'],
    ])
    ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision()))
    await w.q(`update theses set abstract_local = null where id = $1`, [id])
    expect(said(await w.registrar('POST', `/theses/deposit/${id}`, { licence: 'reserved' }))).toEqual([
      409,
      ['thesis_abstract_missing'],
    ])
    await w.q(`update theses set abstract_local = 'ملخص' where id = $1`, [id])
    const bare = await w.granted()
    await w.q('delete from thesis_versions where thesis_id = $1', [bare.id])
    expect(said(await w.registrar('POST', `/theses/deposit/${bare.id}`, { licence: 'reserved' }))).toEqual([
      409,
      ['thesis_manuscript_missing'],
    ])
    const both = await Promise.all(
      [1, 2].map(() => w.registrar('POST', `/theses/deposit/${id}`, { licence: 'reserved' })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(said(await w.dean('PUT', `/theses/undo/${id}`, {}))).toEqual([409, ['thesis_undo_deposited']])
    expect((await w.dean('POST', `/theses/deposit/${id}`, { licence: 'reserved' })).status).toBe(403)
  })
  test('is found by words of both scripts, however they are typed', async () => {
    const { handle, id } = await deposited()
    await w.q(
      `update thesis_deposits set abstract_local = 'أثر الجامعةِ في تنمية المهارات', keywords = 'few-shot; vision' where thesis_id = $1`,
      [id],
    )
    for (const q of ['الجامعه', 'اثر مهار', 'LEARN few', 'vision'])
      expect([
        q,
        ((await open(`/repository?q=${encodeURIComponent(q)}`)).json().data as { handle: string }[]).some(
          (one) => one.handle === handle,
        ),
      ]).toEqual([q, true])
    expect((await open(`/repository?q=${encodeURIComponent('nowhere')}`)).json().data).toEqual([])
    expect((await open(`/repository?q=${encodeURIComponent("' & | !:* ()")}`)).statusCode).toBe(200)
    expect(searched('a & b | c')).toBe('a & b & c')
    expect(searched('Ports')).toBe('ports:*')
    expect(searched('The port of old Damietta')).toBe('the & port & of & old & damietta:*')
    expect((await open(`/repository/${handle}`)).json().data).toMatchObject({
      withdrawn: false,
      closed_until: null,
      licence: 'cc-by',
    })
    const file = await open(`/repository/${handle}/file`)
    expect([file.statusCode, file.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  })
  test('is found by an Arabic word, whatever is joined to it there or in what is sought', async () => {
    const { id, handle } = await deposited()
    const finds = async (abstract: string, q: string) => {
      await w.q(`update thesis_deposits set abstract_local = $2 where thesis_id = $1`, [id, abstract])
      const { data } = (await open(`/repository?q=${encodeURIComponent(q)}`)).json()
      return (data as { handle: string }[]).some((one) => one.handle === handle)
    }
    const forms = [
      'موانئ',
      'الموانئ',
      'للموانئ',
      'وللموانئ',
      'والموانئ',
      'بالموانئ',
      'كالموانئ',
      'وموانئ',
      'بموانئ',
      'كموانئ',
      'لموانئ',
      'ولموانئ',
    ]
    for (const there of forms)
      for (const sought of forms)
        expect([there, sought, await finds(`تطوير ${there} القديمة`, sought)]).toEqual([there, sought, true])
    // A root that begins with such a letter is found as it stands, and begun; what it is not, is not.
    expect(await finds('قرارات وزارة النقل', 'وزارة')).toBe(true)
    expect(await finds('قرارات الوزارة', 'وزار')).toBe(true)
    expect(await finds('زار المدينة', 'وزارة')).toBe(false)
    expect(await finds('تطوير للغة', 'اللغة')).toBe(true)
    expect(await finds('نقل، بحري/جوي', 'جوي')).toBe(true)
    expect(await finds('تطوير الموانئ', 'مطار')).toBe(false)
  })
  test('under embargo shows its record, and its file from the last day on', async () => {
    const { handle, id } = await deposited({ embargo_until: addDays(w.today, 1) })
    const closed = await open(`/repository/${handle}/file`)
    expect([closed.statusCode, closed.json().errors[0].code]).toEqual([403, 'thesis_embargo'])
    expect((await open(`/repository/${handle}`)).json().data.closed_until).toBe(addDays(w.today, 1))
    await w.q(`update thesis_deposits set embargo_until = university_today() where thesis_id = $1`, [id])
    expect((await open(`/repository/${handle}/file`)).statusCode).toBe(200)
    expect((await open(`/repository/${handle}`)).json().data.closed_until).toBeNull()
  })
  test('that is withdrawn leaves its address, with the reason', async () => {
    const { handle, id } = await deposited()
    expect((await w.dean('POST', `/theses/withdraw/${id}`, { reason: 'x' })).status).toBe(403)
    // Who sits there proves it first, where that was a while ago.
    await w.q(`update users set password_hash = $2 where id = $1`, [w.registrar.user_id, await hashPassword(PASSWORD)])
    await w.q(`update sessions set confirmed_at = now() - interval '1 hour' where user_id = $1`, [w.registrar.user_id])
    expect(said(await withdraw(id))).toEqual([403, ['password_again']])
    expect((await open(`/repository/${handle}`)).json().data.withdrawn).toBe(false)
    expect(said(await w.registrar('POST', '/users/confirm-password', { password: 'not this' }))).toEqual([
      403,
      ['current_password_wrong@password'],
    ])
    expect((await withdraw(id)).status).toBe(403)
    ok(await w.registrar('POST', '/users/confirm-password', { password: PASSWORD }))
    ok(await withdraw(id))
    expect((await open(`/repository/${handle}`)).json().data).toMatchObject({
      withdrawn: true,
      reason: 'Court order 118',
    })
    const gone = await open(`/repository/${handle}/file`)
    expect([gone.statusCode, gone.json().errors[0].code]).toEqual([410, 'thesis_withdrawn'])
    expect(said(await withdraw(id, 'x'))).toEqual([409, ['thesis_not_deposited']])
    const [written] = await w.q(
      `select withdrawn_reason from thesis_deposits where thesis_id = $1 and stamp >= withdrawn_at - interval '1 second'`,
      [id],
    )
    expect(written).toEqual({ withdrawn_reason: 'Court order 118' })
    expect(((await open('/repository')).json().data as { handle: string }[]).some((one) => one.handle === handle)).toBe(
      false,
    )
    expect(await oai(`verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:localhost:${handle}`)).toMatch(
      /<header status="deleted">(?!.*<metadata>)/s,
    )
    expect(said(await w.registrar('POST', `/theses/deposit/${id}`, { licence: 'reserved' }))).toEqual([
      409,
      ['thesis_deposit_twice'],
    ])
  })
})

describe('OAI-PMH', () => {
  test('tells who it is', async () => {
    const body = await oai('verb=Identify')
    for (const part of [
      'repositoryName',
      'baseURL',
      'protocolVersion',
      'adminEmail',
      'earliestDatestamp',
      'deletedRecord',
      'granularity',
    ])
      expect(body).toContain(`<${part}>`)
    expect(body).toContain('<deletedRecord>persistent</deletedRecord>')
    expect(body).toMatch(/<request verb="Identify">http[^<]*\/api\/oai<\/request>/)
    expect(
      (
        await u.app.inject({
          method: 'POST',
          url: '/api/oai',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: 'verb=Identify',
        })
      ).body,
    ).toContain('<Identify>')
  })
  test('formats, sets and one record', async () => {
    const { handle } = await deposited()
    const id = `oai:localhost:${handle}`
    expect(await oai(`verb=ListMetadataFormats&identifier=${id}`)).toContain('<metadataPrefix>oai_dc</metadataPrefix>')
    expect(await oai('verb=ListSets')).toContain(`<setSpec>faculty:${w.faculty}</setSpec>`)
    const record = await oai(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${id}`)
    expect(record).toContain('<dc:title xml:lang="ar">التعلم من أمثلة قليلة</dc:title>')
    expect(record).toContain(`/repository/${handle}</dc:identifier>`)
    expect(record).toContain('info:eu-repo/semantics/openAccess')
  })
  test.each([
    ['', ['badVerb']],
    ['verb=Nothing', ['badVerb']],
    ['verb=Identify&verb=ListSets', ['badVerb']],
    ['verb=Identify&set=a', ['badArgument']],
    ['verb=GetRecord&metadataPrefix=oai_dc', ['badArgument']],
    ['verb=ListRecords', ['badArgument']],
    ['verb=ListRecords&metadataPrefix=marc', ['cannotDisseminateFormat']],
    ['verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:localhost:none-0', ['idDoesNotExist']],
    ['verb=ListMetadataFormats&identifier=x', ['idDoesNotExist']],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-02-30', ['badArgument']],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=yesterday', ['badArgument']],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-01T00:00:00Z', ['badArgument']],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2027-01-01&until=2026-01-01', ['badArgument']],
    ['verb=ListRecords&metadataPrefix=oai_dc&until=1999-01-01', ['noRecordsMatch']],
    ['verb=ListRecords&metadataPrefix=oai_dc&set=faculty:999999', ['noRecordsMatch']],
    ['verb=ListRecords&metadataPrefix=oai_dc&set=other', ['noRecordsMatch']],
    ['verb=ListRecords&resumptionToken=abc', ['badResumptionToken']],
    ['verb=ListRecords&resumptionToken=abc&metadataPrefix=oai_dc', ['badArgument']],
  ])('%s: %j', async (query, expected) => {
    const body = await oai(query)
    expect(codes(body)).toEqual(expected)
    expect(body.includes('<request verb=')).toBe(!['badVerb', 'badArgument'].includes(expected[0]!))
  })
  test('a long list is told in parts, each record once, and by day', async () => {
    await w.q(
      `insert into theses (student_id, department_id, degree, title, title_local, status, registered_on, approved_on, granted_on)
       select min(t.student_id), $1, 'master', 'T' || n, 'ع', 'granted', '2020-01-01', '2020-02-01', '2021-01-01' from theses t, generate_series(1, 230) n group by n`,
      [w.department],
    )
    await w.q(
      `insert into thesis_deposits (thesis_id, handle, file_id, title, title_local, creator, creator_local, contributors, abstract, abstract_local, language, degree, faculty_id, granted_on, stamp)
       select t.id, 'x-' || lpad(t.id::text, 6, '0'), (select min(id) from files), t.title || ' <&>', t.title_local, 'A', 'أ', '[]', 'A', 'أ', 'ar', 'master', $1, t.granted_on,
         timestamptz '2021-01-01 00:00:00Z' + make_interval(hours => (t.id % 60)) from theses t where t.title ~ '^T[0-9]+$'`,
      [w.otherFaculty],
    )
    const seen: string[] = []
    let query = `metadataPrefix=oai_dc&set=faculty:${w.otherFaculty}`
    for (let part = 0; part < 5; part++) {
      const body = await oai(`verb=ListRecords&${query}`)
      seen.push(...(identifiers(body) as string[]))
      expect(body).toContain('&lt;&amp;&gt;')
      const [, size, token] =
        /<resumptionToken completeListSize="(\d+)" cursor="\d+"(?:>([^<]+)<\/resumptionToken>|\/>)/.exec(body) ?? []
      expect(size).toBe('230')
      if (!token) break
      query = `resumptionToken=${token}`
      // A token belongs to its verb.
      expect(codes(await oai(`verb=ListIdentifiers&${query}`))).toEqual(['badResumptionToken'])
    }
    expect([seen.length, new Set(seen).size]).toEqual([230, 230])
    const first = identifiers(
      await oai(
        `verb=ListIdentifiers&metadataPrefix=oai_dc&set=faculty:${w.otherFaculty}&from=2021-01-01&until=2021-01-01`,
      ),
    )
    const rest = identifiers(
      await oai(
        `verb=ListIdentifiers&metadataPrefix=oai_dc&set=faculty:${w.otherFaculty}&from=2021-01-02&until=2021-01-03`,
      ),
    )
    const [{ count }] = (await w.q(
      `select count(*)::int as count from thesis_deposits where faculty_id = $1 and stamp < '2021-01-02Z'`,
      [w.otherFaculty],
    )) as [{ count: number }]
    expect(first.length).toBe(Math.min(100, count))
    expect(rest.some((one) => first.includes(one))).toBe(false)
  })
})
