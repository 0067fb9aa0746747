import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { hallList } from '#kit/server/documents/example.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { paperKeyOf } from '#kit/server/papers/signing/key.ts'
import { signPdf } from '#kit/server/papers/signing/pades.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { certificatesServer } from '../certificates.server.ts'
import { askIssuerJob } from './ask.server.ts'
import { externalClock } from './clock.server.ts'

let uni: TestUniversity
let clerk: Caller
let manager: Caller
let elsewhere: Caller
let mona: Caller
let pdf: Buffer
let signed: Buffer
const id: Record<string, any> = {}
const q = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    studentsServer,
    feesServer,
    invoicesServer,
    certificatesServer,
  ])
  for (const code of ['ENG', 'MED'])
    await one(code, `insert into faculties (code, name, name_local) values ($1, $1, $1) returning id`, [code])
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
    [id.ENG],
  )
  await one(
    'program',
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'CS', 'Computing', 'حاسبات', 'credit_hours') returning id`,
    [id.bylaw, id.ENG],
  )
  mona = await uni.as('student', undefined, { type: 3, name: 'Mona' })
  await one(
    'Mona',
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, gender, user_id)
     values ('1', 'Mona', 'منى', $1, $2, $3, 2, 2, $4) returning id`,
    [id.ENG, id.program, id.bylaw, mona.user_id],
  )
  mona = await uni.signIn(mona.user_id)
  clerk = await uni.as('graduate_affairs_employee')
  manager = await uni.as('affair_manager')
  elsewhere = await uni.as('graduate_affairs_employee', ['faculty', id.MED])
  await one(
    'issuer',
    `insert into paper_issuers (code, name, name_local, email) values ('CAIRO', 'Cairo', 'القاهرة', 'registry@cairo.example') returning id`,
  )
  await one('silent', `insert into paper_issuers (code, name, name_local) values ('X', 'X', 'س') returning id`)
  pdf = Buffer.from(await hallList([{ code: '1', name_local: 'منى' }]))
  signed = Buffer.from(
    await signPdf(pdf, await paperKeyOf({ pool: uni.database.pool, config: uni.services.config } as never), {
      at: new Date(),
      reason: 'A paper',
      contact: 'https://example.com',
    }),
  )
}, 180_000)
afterAll(() => uni?.close())
let n = 0
/** Another content each time: what follows the end of a PDF is not looked at. */
const another = (content: Buffer = pdf) => Buffer.concat([content, Buffer.from(`\n%${++n}\n`)])
/** Sends a file with its fields. */
const sends = async (
  by: Caller,
  url: string,
  fields: Record<string, unknown>,
  content: Buffer | null,
  name = 'paper.pdf',
) => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) form.set(key, String(value))
  if (content) form.set('file', new Blob([new Uint8Array(content)]), name)
  const encoded = new Response(form)
  const answer = await uni.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { authorization: `Bearer ${by.token}`, 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() } as Awaited<ReturnType<Caller>>
}
const register = (
  given: Record<string, unknown> = {},
  content: Buffer = another(),
  by: Caller = clerk,
  name = 'paper.pdf',
) =>
  sends(
    by,
    '/certificates/upload',
    { student_id: id.Mona, issuer_id: id.issuer, kind: 'degree', number: 'D-7', ...given },
    content,
    name,
  )
const step = (action: string, paper: number, by: Caller = clerk, body: object = {}) =>
  by('POST', `/certificates/external/${action}/${paper}`, body)
const details = async (paper: number, by: Caller = clerk) =>
  ok(await by('GET', `/certificates/external/${paper}/details`))
const stateOf = async (paper: number) =>
  (await q(`select status from external_papers where id = $1`, [paper]))[0].status
/** Asks, sends the mail, and gives a token of which the hash is kept in its place. */
const asked = async (content?: Buffer) => {
  const paper = ok(await register({}, content)).id as number
  ok(await step('ask', paper))
  return { paper, token: await linkOf(paper) }
}
const linkOf = async (paper: number) => {
  const [ask] = await q(`select id from external_paper_asks where paper_id = $1 and ended_at is null`, [paper])
  await askIssuerJob.run(
    asSystem(uni.services, 'test'),
    { ask_id: ask.id },
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
  const token = `token-${String(++n).padStart(30, '0')}`
  await q(
    `update external_paper_links set token_hash = $1 where token_hash = (select token_hash from external_paper_links where ask_id = $2
    order by expires_at desc limit 1)`,
    [hashToken(token), ask.id],
  )
  return token
}
const guest = (call: string, body: object) => uni.nobody('POST', `/certificates/external/question${call}`, body)
const run = () =>
  externalClock.run(
    asSystem(uni.services, 'test'),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const told = async (who: Caller) =>
  (await q(`select 1 from notifications where user_id = $1 and key = 'certificates.notice_no_answer'`, [who.user_id]))
    .length
beforeEach(async () => {
  await q(`update external_paper_asks set ended_at = now() where ended_at is null`)
})

describe('registering', () => {
  test('of a student, with its file; the same file twice is one paper', async () => {
    const content = another()
    const both = await Promise.all([register({}, content), register({}, content)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(reasons(both.find((answer) => answer.status === 409)!)).toEqual(['external_paper_twice@file'])
    const paper = ok(both.find((answer) => answer.status === 200)!).id
    expect(await details(paper)).toMatchObject({ status: 'New', checks: [], ask: null, files: [{ name: 'paper.pdf' }] })
    const list = (await clerk('POST', '/certificates/external', { filters: { student_id: id.Mona } })).body.data
    expect(list.map((row: any) => [row.id, row.person])).toContainEqual([paper, 'Mona'])
  })

  test('of whoever it is, one person, from a known issuer, of an allowed kind', async () => {
    expect(reasons(await register({ student_id: undefined }))).toEqual(['external_person@student_id'])
    expect(reasons(await register({ person_name: 'Somebody' }))).toEqual(['external_person@student_id'])
    expect(reasons(await register({ student_id: 999_999 }))).toEqual(['reference_missing@student_id'])
    expect(reasons(await register({ student_id: undefined, applicant_id: 999_999 }))).toEqual([
      'reference_missing@applicant_id',
    ])
    expect(reasons(await register({ issuer_id: 999_999 }))).toEqual(['reference_missing@issuer_id'])
    expect((await register({}, Buffer.from('PK\u0003\u0004zip'), clerk, 'a.zip')).status).toBe(422)
    const other = ok(await register({ student_id: undefined, person_name: 'Somebody else' })).id
    expect((await clerk('GET', `/certificates/external/${other}`)).body.data.person).toBe('Somebody else')
  })

  test('of somebody who applies: listed by the applicant, and the student’s once there is one', async () => {
    const [admission] = await q(
      `with y as (insert into years (code, name, name_local, start_date, end_date)
           values ('Y', 'Y', 'ع', university_today() - 9, university_today() + 300) returning id),
         t as (insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
           select id, 'T', 'T', 'ف', 'fall', university_today() - 9, university_today() + 90 from y returning id)
       insert into admissions (code, name, name_local, applicant_type, term_id, opens_at, closes_at, max_preferences, has_exam, weight_percentage, weight_exam)
       select 'A', 'A', 'ق', 1, id, now() - interval '5 days', now() + interval '5 days', 3, false, 100, 0 from t returning id`,
    )
    const [ada] = await q(
      `insert into applicants (code, admission_id, name, name_local, status, email, key_hash, submitted_at)
       values ('A-1', $1, 'Ada', 'آدا', 'SUBMITTED', 'ada@example.com', 'x', now()) returning id`,
      [admission.id],
    )
    const paper = ok(await register({ student_id: undefined, applicant_id: ada.id })).id
    const both = another()
    const twice = ok(await register({ student_id: undefined, applicant_id: ada.id }, both)).id
    const of = async (filter: object, by = clerk) =>
      (await by('POST', '/certificates/external', { filters: filter })).body.data.map((row: any) => row.id).toSorted()
    expect(await of({ applicant_id: ada.id })).toEqual([paper, twice])
    expect(await of({ applicant_id: ada.id }, elsewhere)).toEqual([])
    const [student] = await q(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, gender)
       values ('2', 'Ada', 'آدا', $1, $2, $3, 1, 2) returning id`,
      [id.ENG, id.program, id.bylaw],
    )
    // What the record has already is not there twice.
    ok(await register({ student_id: student.id }, both))
    await q(`update applicants set status = 'accepted', program_id = $3, student_id = $2 where id = $1`, [
      ada.id,
      student.id,
      id.program,
    ])
    expect(await of({ student_id: student.id })).toContain(paper)
    expect(await of({ student_id: student.id })).not.toContain(twice)
    expect(await of({ applicant_id: ada.id })).toEqual([twice])
    expect(ok(await clerk('GET', `/certificates/external/${paper}`))).toMatchObject({ person: 'Ada', status: 'New' })
  })

  test('the wrong person gets nothing', async () => {
    const paper = ok(await register()).id
    const other = ok(await register({ student_id: undefined, person_name: 'Somebody else' })).id
    for (const who of [mona, await uni.as('instructor')]) {
      expect((await register({}, another(), who)).status).toBe(403)
      expect((await who('GET', `/certificates/external/${paper}`)).status).toBe(403)
      expect((await who('GET', `/certificates/external/${paper}/details`)).status).toBe(403)
    }
    expect((await register({}, another(), elsewhere)).status).toBe(403)
    expect((await register({ student_id: undefined, person_name: 'Somebody' }, another(), elsewhere)).status).toBe(403)
    for (const one of [paper, other]) {
      expect((await elsewhere('GET', `/certificates/external/${one}`)).status).toBe(404)
      expect((await elsewhere('GET', `/certificates/external/${one}/details`)).status).toBe(404)
      expect((await sends(elsewhere, `/certificates/upload/${one}`, {}, another())).status).toBe(404)
      expect(
        (await elsewhere('POST', `/certificates/external/${one}/answer`, { result: 'genuine', remark: 'Yes' })).status,
      ).toBe(404)
      expect([403, 404]).toContain((await step('confirm', one, elsewhere, { reason: 'Yes' })).status)
    }
    expect((await uni.nobody('GET', `/certificates/external/${paper}`)).status).toBe(401)
  })
})

describe('what the file says of itself', () => {
  test('our own paper is known by its content, also when it was revoked', async () => {
    const own = async (revoked: boolean) => {
      const content = another()
      const sha256 = createHash('sha256').update(content).digest('hex')
      const [file] = await q(
        `insert into files (hash, name, ext, mime, size) values ($1, 'a.pdf', 'pdf', 'application/pdf', 1) returning id`,
        [sha256],
      )
      await q(
        `insert into papers (kind, subject, subject_id, lang, serial, code, title, title_local, holder, holder_local, facts, disclosure, file_id, sha256, revoked_at, revoked_reason)
         values ('certificate', 'student', $1, 'en', $2, $3, 'T', 'ت', 'Mona', 'منى', '[]', 'everything', $4, $5, case when $6 then now() end, case when $6 then 'Wrong' end)`,
        [id.Mona, `S-${n}`, String(n).padStart(20, '0'), file.id, sha256, revoked],
      )
      return ok(await register({}, content)).id
    }
    const good = await own(false)
    expect(await details(good)).toMatchObject({
      status: 'confirmed',
      checks: [{ how: 'file', result: 'genuine', found: 'own' }],
    })
    expect(await details(await own(true))).toMatchObject({ status: 'not genuine', checks: [{ found: 'own_revoked' }] })
  })

  test('a signed PDF that was changed is not genuine; an intact one does not say who signed', async () => {
    const intact = ok(await register({}, signed)).id
    expect(await details(intact)).toMatchObject({
      status: 'New',
      checks: [{ result: 'unknown', found: 'signature_intact' }],
    })
    const changed = Buffer.from(signed)
    changed[200] = changed[200]! ^ 1
    const broken = ok(await register({}, changed)).id
    expect(await details(broken)).toMatchObject({ status: 'not genuine', checks: [{ found: 'signature_broken' }] })
  })

  test('a credential that cannot be relied on is kept with why, and the issuer is asked', async () => {
    const paper = ok(await register({}, Buffer.from(JSON.stringify({ '@context': [], n: ++n })), clerk, 'a.json')).id
    expect(await details(paper)).toMatchObject({
      status: 'New',
      checks: [{ result: 'unknown', found: 'credential_refused', remark: expect.any(String) }],
    })
  })
})

describe('the issuer', () => {
  test('sees the paper by the link, and answers once; the link ends', async () => {
    const { paper, token } = await asked()
    expect(await details(paper)).toMatchObject({ status: 'issuer asked', ask: { email: 'registry@cairo.example' } })
    expect(ok(await guest('', { token }))).toMatchObject({
      person: 'Mona',
      kind: 'degree',
      number: 'D-7',
      issuer: { name: 'Cairo' },
    })
    expect((await guest('/file', { token })).status).toBe(200)
    const answer = { token, result: 'genuine', remark: 'In our register', answered_by: 'Head of registry' }
    const both = await Promise.all([guest('/answer', answer), guest('/answer', answer)])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 403])
    expect(reasons(both.find((one) => one.status === 403)!)).toEqual(['external_link_over'])
    const found = await details(paper)
    expect(found).toMatchObject({
      status: 'confirmed',
      ask: null,
      checks: [
        { how: 'link', result: 'genuine', remark: 'In our register', answered_by: 'Head of registry', outdated: false },
      ],
    })
    expect(found.checks).toHaveLength(1)
    for (const call of ['', '/file']) expect(reasons(await guest(call, { token }))).toEqual(['external_link_over'])
    expect(reasons(await guest('', { token: 'x'.repeat(40) }))).toEqual(['external_link_over'])
  })

  test.each([
    ['not_genuine', 'not genuine'],
    ['unknown', 'no answer'],
  ])('answers %s: the paper is %s', async (result, state) => {
    const { paper, token } = await asked()
    ok(await guest('/answer', { token, result, answered_by: 'Registry' }))
    expect(await stateOf(paper)).toBe(state)
  })

  test('is asked where somebody knows where; a link that is late opens nothing', async () => {
    const paper = ok(await register({ issuer_id: id.silent })).id
    expect(reasons(await step('ask', paper))).toEqual(['external_no_email'])
    const { token } = await asked()
    await q(`update external_paper_links set expires_at = now() - interval '1 second'`)
    expect(reasons(await guest('', { token }))).toEqual(['external_link_over'])
  })

  test('data is not shown as a page', async () => {
    const { token } = await asked()
    await q(
      `update files set ext = 'txt' where id = (select file_id from external_paper_files order by id desc limit 1)`,
    )
    expect(reasons(await guest('/file', { token }))).toEqual(['external_file_data'])
  })

  test('an answer that came by letter is entered with its file', async () => {
    const { paper, token } = await asked()
    ok(
      await sends(
        clerk,
        `/certificates/external/${paper}/answer`,
        { result: 'genuine', remark: 'Letter 12', answered_by: 'Registry' },
        another(),
      ),
    )
    expect(await details(paper)).toMatchObject({
      status: 'confirmed',
      checks: [{ how: 'letter', file: { name: 'paper.pdf' } }],
    })
    expect(reasons(await guest('', { token }))).toEqual(['external_link_over'])
    expect(
      reasons(
        await sends(clerk, `/certificates/external/${paper}/answer`, { result: 'genuine', remark: 'Again' }, null),
      ),
    ).not.toEqual([])
  })
})

describe('a further file', () => {
  const further = (paper: number, content = another(), by: Caller = clerk) =>
    sends(by, `/certificates/upload/${paper}`, {}, content)
  test('begins anew: what was found stood on the file before, and the link ends', async () => {
    const { paper, token } = await asked()
    ok(await guest('/answer', { token, result: 'genuine', answered_by: 'Registry' }))
    const content = another()
    ok(await further(paper, content))
    expect(await details(paper)).toMatchObject({ status: 'New', checks: [{ outdated: true }] })
    expect(reasons(await further(paper, content))).toEqual(['external_paper_same_file@file'])
    const again = await asked()
    ok(await further(again.paper))
    expect(reasons(await guest('', { token: again.token }))).toEqual(['external_link_over'])
    expect(await stateOf(again.paper)).toBe('New')
  })
})

describe('an issuer that does not answer', () => {
  test('is asked once more, who asked is told once, and later who follows certificates once', async () => {
    const { paper } = await asked()
    const [ask] = await q(
      `select id, due_on = university_today() + 14 as usual from external_paper_asks where paper_id = $1`,
      [paper],
    )
    expect(ask.usual).toBe(true)
    const age = (days: number) =>
      q(`update external_paper_asks set due_on = university_today() - $2::int where id = $1`, [ask.id, days])
    const before = [await told(clerk), await told(manager)]
    const more = async () => [(await told(clerk)) - before[0]!, (await told(manager)) - before[1]!]
    await age(0)
    await run()
    expect(await more()).toEqual([0, 0])
    await age(1)
    await Promise.all([run(), run()])
    expect(await more()).toEqual([1, 0])
    await age(4)
    await run()
    await run()
    expect(await more()).toEqual([1, 1])
    const token = await linkOf(paper)
    ok(await guest('/answer', { token, result: 'genuine', answered_by: 'Registry' }))
    expect(await stateOf(paper)).toBe('confirmed')
  })

  test('whoever gives it up says why; it may be asked again', async () => {
    const { paper, token } = await asked()
    expect(reasons(await step('give_up', paper))).toEqual(['reason_required@reason'])
    ok(await step('give_up', paper, clerk, { reason: 'Nobody answers' }))
    expect(reasons(await guest('', { token }))).toEqual(['external_link_over'])
    ok(await step('ask', paper))
    expect(await stateOf(paper)).toBe('issuer asked')
  })
})
