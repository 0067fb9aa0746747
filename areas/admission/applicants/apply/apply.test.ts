import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { solvePuzzle } from '#kit/contract/puzzle.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { sendApplicationCode, sendApplicationLink } from './apply.server.ts'
import type { Application } from './apply.contract.ts'

let u: TestUniversity
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const nobody = (...args: Parameters<TestUniversity['nobody']>): Promise<Answer> => u.nobody(...args)
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]

beforeAll(async () => {
  // Mails wait in the jobs: the test reads them as the job would write them.
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  // What is paid before an application is sent in has tests of its own (admission-payments).
  await q("delete from admission_fees where fee = 'application'")
})
afterAll(() => u.close())
beforeEach(() => q('delete from login_attempts'))

let made = 0
const newEmail = () => `applicant${++made}@example.com`
async function mailsOf<D>(
  job: { run: (ctx: never, data: D, progress: never) => unknown },
  data: D,
): Promise<MailInput> {
  const sent: MailInput[] = []
  const services = {
    ...u.services,
    mail: { send: async (mail: MailInput) => void sent.push(mail), verify: async () => {}, close: () => {} },
  }
  await job.run(asSystem(services, 'test') as never, data, (async () => {}) as never)
  return sent[0]!
}
const solved = async () => {
  const { challenge, bits } = ok(await nobody('POST', '/admission/website/puzzle', {})) as {
    challenge: string
    bits: number
  }
  return { challenge, bits, nonce: await solvePuzzle(challenge, bits) }
}
async function askCode(email: string): Promise<Answer> {
  const { challenge, nonce } = await solved()
  return nobody('POST', '/admission/website/code', { email, language: 'en', challenge, nonce })
}
const codeFor = async (email: string): Promise<string> =>
  String((await mailsOf(sendApplicationCode, { email, language: 'en' })).data!.code).replace(' ', '')
const verify = (email: string, code: string) => nobody('POST', '/admission/website/verify-email', { email, code })
async function ticketFor(email: string): Promise<string> {
  ok(await askCode(email))
  return ok(await verify(email, await codeFor(email))).ticket as string
}
interface Begun {
  id: number
  key: string
  type: number
}
const begin = async (admission_id = 1, email = newEmail()): Promise<Begun> =>
  ok(
    await nobody('PUT', '/admission/apply', { ticket: await ticketFor(email), admission_id, language: 'ar' }),
  ) as unknown as Begun
const at = ({ id, key }: Begun) => `/admission/${id}/${key}`
const write = async (who: Begun, values: object, more: object = {}): Promise<Application> =>
  ok(await nobody('POST', at(who), { values, ...more })) as unknown as Application
const read = async (who: Begun): Promise<Application> => ok(await nobody('GET', at(who))) as unknown as Application
const open = ({ tabs }: Application) => tabs.filter(({ done }) => !done).map(({ key }) => key)

/** Everything that an undergraduate is asked. */
async function fillIn(who: Begun): Promise<Application> {
  const { id: program_id } = await one<{ id: number }>(
    'select program_id as id from admission_programs where admission_id = 1 and is_open order by id limit 1',
  )
  let now = await write(who, {
    nationality_id: 64,
    national_id: '30512310112345',
    name: 'Mona Ali',
    name_local: 'منى علي',
    gender: 2,
    birth_date: '2005-12-31',
    phone: '01001234567',
    country_id: 64,
    address: '1 Corniche',
    father_name: 'Ali',
    mother_name: 'Huda',
    certificate_type_id: 1,
    certificate_year: 2024,
    certificate_school: 'A school',
    certificate_total: '300',
    subjects: [1, 2, 4, 5, 6].map((subject) => ({
      certificate_subject_id: subject,
      mark: subject === 1 ? '76' : '56',
    })),
    preferences: [{ program_id }],
  })
  for (const { kind, is_required } of now.admission.documents) if (is_required) now = await addFile(who, kind.id)
  return ok(await nobody('POST', at(who), { declared: true })) as unknown as Application
}
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
)
async function upload(who: Begun, kind: number, content: Buffer = PDF, name = 'paper.pdf'): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const request = new Request('http://x', { method: 'POST', body: form })
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${at(who)}/documents/${kind}`,
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
}
const addFile = async (who: Begun, kind: number) => ok(await upload(who, kind)) as unknown as Application

test('an admission that asks nothing to be declared is applied for without declaring', async () => {
  const who = await begin()
  await fillIn(who)
  ok(await nobody('POST', at(who), { declared: false }))
  expect(said(await nobody('POST', at(who), { submit: true }))).toEqual([422, ['application_tab_open@Declaration']])
  const kept = await q<{ position: number; text: string; text_local: string }>(
    'delete from admission_declarations where admission_id = 1 returning position, text, text_local',
  )
  try {
    expect(open(await read(who))).toEqual([])
    ok(await nobody('POST', at(who), { submit: true }))
  } finally {
    for (const row of kept)
      await q('insert into admission_declarations (admission_id, position, text, text_local) values (1, $1, $2, $3)', [
        row.position,
        row.text,
        row.text_local,
      ])
  }
})

test('who has sent an application in gets its paper; nobody else does', async () => {
  const [who, other] = [await begin(), await begin()]
  const paper = (key = who.key, id = who.id) => nobody('GET', `/admission/${id}/${key}/paper`)
  expect(said(await paper())).toEqual([409, ['application_not_sent']])
  await fillIn(who)
  ok(await nobody('POST', at(who), { submit: true }))
  const answer = await paper()
  expect([answer.status, answer.headers['content-type'], answer.bytes.subarray(0, 5).toString()]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  expect(said(await paper(other.key))).toEqual([404, ['application_unknown']])
  expect(said(await paper(who.key, other.id))).toEqual([404, ['application_unknown']])
})

test('a code is sent to whoever solves a puzzle, each puzzle once', async () => {
  const { challenge, nonce, bits } = await solved()
  const ask = (changed: object) =>
    nobody('POST', '/admission/website/code', { email: newEmail(), language: 'en', challenge, nonce, ...changed })
  expect(bits).toBeGreaterThan(8)
  expect(said(await ask({ nonce: `${nonce}1` }))[0]).toBe(403)
  expect(said(await ask({ challenge: challenge.replace(/^\d+/, '1') }))).toEqual([403, ['puzzle_wrong']])
  ok(await ask({}))
  expect(said(await ask({}))).toEqual([403, ['puzzle_wrong']])
})

test('puzzles grow with the requests of a network', async () => {
  const bitsOf = async () => (ok(await nobody('POST', '/admission/website/puzzle', {})) as { bits: number }).bits
  const first = await bitsOf()
  await q("update login_attempts set failures = 60 where key like 'puzzle %'")
  expect(await bitsOf()).toBe(first + 4)
})

test('an address is verified by its code: a few tries, ten minutes, once', async () => {
  const email = newEmail()
  ok(await askCode(email))
  const code = await codeFor(email)
  const wrong = code === '00000000' ? '00000001' : '00000000'
  expect(said(await verify(email, wrong))).toEqual([403, ['mailed_code_wrong']])
  const verified = ok(await verify(email, code))
  expect(verified).toMatchObject({ applications: [] })
  expect(said(await verify(email, code))).toEqual([403, ['mailed_code_over']])
  // Whose address nobody asked for is told the same as whose code is over.
  expect(said(await verify('never@example.com', code))).toEqual([403, ['mailed_code_over']])
  const late = await codeFor(email)
  await q("update intake_codes set expires_at = now() - interval '1 second'")
  expect(said(await verify(email, late))).toEqual([403, ['mailed_code_over']])
  const guessed = await codeFor(email)
  for (let i = 0; i < 5; i++) await verify(email, guessed === '00000000' ? '00000001' : '00000000')
  expect(said(await verify(email, guessed))).toEqual([403, ['mailed_code_over']])
})

test('nobody begins without a verified address, and a ticket is not forged', async () => {
  const forged = Buffer.from(JSON.stringify(['x@example.com', 9_999_999_999])).toString('base64url')
  for (const ticket of ['a.b', `${forged}.AAAA`])
    expect(said(await nobody('PUT', '/admission/apply', { ticket, admission_id: 1, language: 'en' }))).toEqual([
      403,
      ['mailed_code_over'],
    ])
  const ticket = await ticketFor(newEmail())
  const apply = (admission_id: number) => nobody('PUT', '/admission/apply', { ticket, admission_id, language: 'en' })
  expect(said(await apply(4))).toEqual([409, ['application_not_yet']])
  expect(said(await apply(2))).toEqual([409, ['application_over']])
  expect(said(await apply(999_999))).toEqual([422, ['not_found@admission_id']])
})

test('whoever begins twice, also at once, goes on with the same application and a new key', async () => {
  const ticket = await ticketFor(newEmail())
  const apply = () => nobody('PUT', '/admission/apply', { ticket, admission_id: 1, language: 'en' })
  const answers = (await Promise.all([apply(), apply(), apply()])).map((answer) => ok(answer) as unknown as Begun)
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  const opened = await Promise.all(answers.map((who) => nobody('GET', at(who))))
  expect(opened.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  // The mail has the key that works; in the jobs it is sealed.
  const { data } = await one<{ data: { id: number; sealed: string; done: boolean } }>(
    `select b.data -> 'payload' as data from pgboss.job b where b.name = 'send-application-link' order by b.created_on desc limit 1`,
  )
  expect(JSON.stringify(data)).not.toContain(answers.at(-1)!.key)
  const mail = await mailsOf(sendApplicationLink, data)
  expect(String(mail.data!.link)).toMatch(new RegExp(`/applicants/edit/1/${answers[0]!.id}/[\\w-]{43}$`))
})

test('a key opens one application and no other; without it nobody learns of any', async () => {
  const [mine, other] = [await begin(), await begin()]
  expect((await read(mine)).id).toBe(mine.id)
  for (const path of [
    `/admission/${other.id}/${mine.key}`,
    `/admission/999999/${mine.key}`,
    `/admission/${mine.id}/${'A'.repeat(43)}`,
  ])
    expect(said(await nobody('GET', path))).toEqual([404, ['application_unknown']])
  expect(said(await nobody('POST', `/admission/${other.id}/${mine.key}`, { values: { name: 'X' } }))).toEqual([
    404,
    ['application_unknown'],
  ])
})

test('what is written is kept field by field, and what is wrong is told at its field', async () => {
  const who = await begin()
  const now = await write(who, { nationality_id: 64, name: 'Mona' })
  expect(now.values).toMatchObject({ nationality_id: 64, name: 'Mona', name_local: null })
  expect(said(await nobody('POST', at(who), { values: { name: 'منى', national_id: '12' } }))).toEqual([
    422,
    ['english_only@name', 'national_id_digits@national_id'],
  ])
  for (const name of ['status', 'key_hash', 'email', 'percentage', 'admission_id'])
    expect((await nobody('POST', at(who), { values: { [name]: 'accepted' } })).status).toBe(422)
  expect((await read(who)).values.name).toBe('Mona')
})

test('two windows do not overwrite each other without a word', async () => {
  const who = await begin()
  await write(who, { name: 'Mona' })
  expect(said(await nobody('POST', at(who), { values: { name: 'Mary' }, was: { name: null } }))).toEqual([
    409,
    ['application_written_elsewhere@name'],
  ])
  await write(who, { name: 'Mary', phone: '01001234567' }, { was: { name: 'Mona', phone: null } })
  // The same is the same, whoever wrote it.
  await write(who, { name: 'Mary' }, { was: { name: null } })
})

test('an application is sent in when every tab is done, once, and then stays as it is', async () => {
  const who = await begin()
  const early = await nobody('POST', at(who), { submit: true })
  expect(early.status).toBe(422)
  expect(reasons(early)).toContain('application_tab_open@nationality')
  const filled = await fillIn(who)
  expect(open(filled)).toEqual([])
  expect(filled.percentage).toBe('93.75')
  const sent = await Promise.all([1, 2].map(() => nobody('POST', at(who), { submit: true })))
  expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await read(who)).status).toBe('SUBMITTED')
  expect(said(await nobody('POST', at(who), { values: { name: 'Other' } }))).toEqual([409, ['application_sent']])
  const { declared } = await one<{ declared: { text: string }[] }>('select declared from applicants where id = $1', [
    who.id,
  ])
  expect(declared).toHaveLength(3)
  // Sent back, it is written again.
  await q("update applicants set status = 'FEEDBACK' where id = $1", [who.id])
  await write(who, { address: '2 Corniche' })
  ok(await nobody('POST', at(who), { submit: true }))
  expect((await read(who)).status).toBe('UPDATED')
})

test('a wish whose program was closed meanwhile keeps an application from being sent', async () => {
  const who = await begin()
  const filled = await fillIn(who)
  const [wish] = filled.values.preferences as { program_id: number }[]
  await q('update admission_programs set is_open = false where admission_id = 1 and program_id = $1', [
    wish!.program_id,
  ])
  const answer = await nobody('POST', at(who), { submit: true })
  await q('update admission_programs set is_open = true where admission_id = 1 and program_id = $1', [wish!.program_id])
  expect(said(answer)).toEqual([422, ['application_tab_open@personal_preference']])
})

test('after the last second nothing is written any more, and what is there can be read', async () => {
  const who = await begin()
  await write(who, { name: 'Mona' })
  const { closes_at } = await one<{ closes_at: string }>('select closes_at from admissions where id = 1')
  await q("update admissions set closes_at = now() - interval '1 second' where id = 1")
  const late = await nobody('POST', at(who), { values: { name: 'Late' } })
  const shown = await read(who)
  await q('update admissions set closes_at = $1 where id = 1', [closes_at])
  expect(said(late)).toEqual([409, ['application_closed']])
  expect([shown.open, shown.values.name]).toEqual([false, 'Mona'])
})

test('documents are those that are asked for, looked into, and replaced', async () => {
  const who = await begin()
  const { admission } = await write(who, { nationality_id: 64 })
  const abroad = await one<{ id: number }>('select id from countries where id <> 64 order by id limit 1')
  const asked = admission.documents.map(({ kind }) => kind.code)
  expect(asked).toContain('NID')
  expect(asked).not.toContain('PASSPORT')
  expect((await write(who, { nationality_id: abroad.id })).admission.documents.map(({ kind }) => kind.code)).toContain(
    'PASSPORT',
  )
  const { id: kind } = (await write(who, { nationality_id: 64 })).admission.documents.find(
    (one) => one.kind.code === 'NID',
  )!.kind
  const file = (now: Application) => now.admission.documents.find((one) => one.kind.id === kind)!.file
  expect(file(await addFile(who, kind))).toMatchObject({ name: 'paper.pdf' })
  // Something else that calls itself a picture.
  expect((await upload(who, kind, Buffer.from('<script>alert(1)</script>'), 'picture.jpg')).status).toBe(422)
  expect(said(await upload(who, 999_999))).toEqual([422, ['application_document_not_asked@kind']])
  expect((await upload({ ...who, key: 'A'.repeat(43) }, kind)).status).toBe(404)
  expect(file(ok(await nobody('DELETE', `${at(who)}/documents/${kind}`)) as unknown as Application)).toBeNull()
})

test('whoever transfers and whoever has a degree is asked other things', async () => {
  const transfer = await read(await begin(3))
  expect(transfer.tabs.map(({ key }) => key).indexOf('previous_university_info')).toBe(5)
  const phd = await begin(6)
  const now = await write(phd, {
    degrees: [
      { degree: 'bachelor', university: 'Cairo', year: 2015, percentage: '81.5' },
      { degree: 'master', university: 'Cairo', year: 2019, percentage: '90' },
    ],
  })
  expect(now.percentage).toBe('81.50')
  expect(open(now)).not.toContain('bachelor_degree')
  const twice = ['bachelor', 'bachelor'].map((degree) => ({
    degree,
    university: 'Cairo',
    year: 2015,
    percentage: '80',
  }))
  expect(said(await nobody('POST', at(phd), { values: { degrees: twice } }))[1]).toContain(
    'application_degree_once@degrees.1.degree',
  )
})

test('what anybody may read: open admissions, programs of one, lists, training', async () => {
  const { admissions, programs } = ok(await nobody('GET', '/website/admissionData?admission_id=1')) as never as {
    admissions: { id: number; state: string }[]
    programs: unknown[]
  }
  expect(admissions.map(({ id }) => id)).toEqual([1, 3, 4, 5, 6])
  expect(admissions.find(({ id }) => id === 4)!.state).toBe('planned')
  expect(programs.length).toBeGreaterThan(3)
  const lists = ok(await nobody('GET', '/admission/website/applicant/lookups')) as Record<string, unknown[]>
  expect(Object.keys(lists).toSorted()).toEqual([
    'certificates',
    'communities',
    'countries',
    'faculties',
    'schools',
    'universities',
  ])
  expect(lists.communities).toHaveLength(28)
  expect(Object.keys(ok(await nobody('GET', '/admission/website/applicant/lookups/schools')))).toEqual(['schools'])
  await q(`update programs set min_training_weeks = 6 where id = (select program_id from admission_programs x join programs p on p.id = x.program_id
    where x.admission_id = 1 and x.is_open and p.faculty_id = 1 order by x.id limit 1)`)
  expect(ok(await nobody('GET', '/admission/faculty/needTraining/1/1'))).toEqual({
    need_training: true,
    weeks: expect.any(Number),
  })
  expect(ok(await nobody('GET', '/admission/faculty/needTraining/6/999'))).toEqual({
    need_training: false,
    weeks: null,
  })
})

test('the desk sees applicants of its part, students and instructors none', async () => {
  const who = await begin()
  await fillIn(who)
  const officer = await u.as('admission_officer')
  const rows = ok(
    await officer('POST', '/applicants/1', { perPage: 100, filters: { status: ['INCOMPLETE'] } }),
  ) as unknown as { id: number }[]
  expect(rows.map(({ id }) => id)).toContain(who.id)
  expect(ok(await officer('GET', `/applicants/${who.id}`))).toMatchObject({ name: 'Mona Ali', applicant_type: 1 })
  ok(await officer('PUT', `/applicants/${who.id}`, { address: 'Corrected' }))
  const { faculty_id } = await one<{ faculty_id: number }>(
    'select p.faculty_id from applicant_preferences w join programs p on p.id = w.program_id where w.applicant_id = $1',
    [who.id],
  )
  const near = await u.as('admission_officer', ['faculty', faculty_id])
  const far = await u.as('admission_officer', ['faculty', faculty_id === 1 ? 2 : 1])
  expect((await near('GET', `/applicants/${who.id}`)).status).toBe(200)
  expect((await far('GET', `/applicants/${who.id}`)).status).toBe(404)
  for (const role of ['student', 'instructor']) {
    const caller = await u.as(role)
    expect((await caller('POST', '/applicants', {})).status).toBe(403)
    expect((await caller('GET', `/applicants/${who.id}`)).status).toBe(403)
  }
})
