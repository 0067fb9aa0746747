/** Certificates that graduates ask for without an account, through HTTP: the simulator of the providers on one side, the office on the other. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { requestFeesJob } from '#areas/money/invoices/requests/fee.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { settleEvents } from '#areas/money/transactions/providers/settle.server.ts'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { solvePuzzle } from '#kit/contract/puzzle.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { letGraduateProofsGo } from './proofs.server.ts'
import { graduateCodes, sendGraduateLink, sendGraduateNews } from './mail.server.ts'

let simulator: PaymentSimulator
let u: TestUniversity
let m: ReturnType<typeof moneyWorld>
let clerk: Caller
let reviewer: Caller
const id: Record<string, number> = {}
const q = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await u.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const system = () => asSystem(u.services, 'test')

beforeAll(async () => {
  simulator = await openPaymentSimulator()
  u = await testUniversity(AREA_SERVERS, { env: { ...simulator.variables, PORT: '0' } })
  simulator.callBack(await u.listen())
  m = moneyWorld(u.database.db)
  for (const key of ['pay_with_fawry', 'pay_with_credit_card'])
    await q(
      `insert into settings (key, value, grouping, public) values ($1, '"true"', 'payment', true) on conflict (key) do update set value = excluded.value`,
      [key],
    )
  await q(
    `insert into countries (id, code, name, name_local) overriding system value values (64, 'EG', 'Egyptian', 'مصري') on conflict do nothing`,
  )
  await q(
    `insert into nationality_group_countries (nationality_group_id, country_id)
     select id, 64 from nationality_groups where currency = 'EGP' and not is_default on conflict do nothing`,
  )
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
  clerk = await u.as('registrar')
  reviewer = await u.as('affair_manager')
}, 240_000)
afterAll(async () => {
  await u?.close()
  await simulator?.close()
})
beforeEach(() => q('delete from login_attempts'))

let made = 0
interface Person {
  id: number
  name: string
  code: string
  national_id: string
  birth_date: string
  email: string
}
/** A person with a record and no account. */
async function person(status = 'graduated', more: Record<string, unknown> = {}): Promise<Person> {
  const n = ++made
  const given = {
    name: `Graduate ${String.fromCharCode(65 + (n % 26))}${'abcdefghij'[Math.floor(n / 26)]}`,
    code: `G-${1000 + n}`,
    national_id: `2990101010${String(n).padStart(4, '0')}`,
    birth_date: '1999-01-01',
    email: `graduate${n}@example.com`,
    ...more,
  }
  const [row] = await q(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, nationality_id, national_id, gender, birth_date, email)
     values ($1, $2, 'خريج', $3, $4, $5, 4, 64, $6, 1, $7, $8) returning id`,
    [given.code, given.name, id.ENG, id.program, id.bylaw, given.national_id, given.birth_date, given.email],
  )
  if (status !== 'studying')
    await q(`select decide_status(array[$1::int], $2, 'Decision 1', university_today())`, [row.id, status])
  return { ...given, id: row.id }
}
let types = 0
async function typeWith(given: Record<string, unknown> = {}): Promise<number> {
  const answer = await clerk('POST', '/services-settings/certificates', {
    code: `G${++types}`,
    name: 'Statement',
    name_local: 'إفادة',
    document: 'text',
    body: '{name} has graduated.',
    body_local: 'تخرج {name}.',
    for_students: false,
    for_graduates: true,
    days_normal: 3,
    days_urgent: 1,
    most_copies: 5,
    by_hand: true,
    by_mail: true,
    electronic: true,
    is_active: true,
    signers: [],
    ...given,
  })
  return ok(answer).id
}
const PRICES = [
  { audience: 'graduate', speed: 'normal', value_local: 5000, value_usd: 500, copy_local: 1000, copy_usd: 100 },
]

async function mailsOf<D>(
  job: { run: (ctx: never, data: D, progress: never) => unknown },
  data: D,
): Promise<MailInput | undefined> {
  const sent: MailInput[] = []
  const services = {
    ...u.services,
    mail: { send: async (mail: MailInput) => void sent.push(mail), verify: async () => {}, close: () => {} },
  }
  await job.run(asSystem(services, 'test') as never, data, (async () => {}) as never)
  return sent[0]
}
/** What a job was given last, as it waits. */
const waiting = async (name: string, of?: number) =>
  (
    await q(
      `select b.data -> 'payload' as data from pgboss.job b where b.name = $1 and ($2::int is null or (b.data -> 'payload' ->> 'id')::int = $2)
       order by b.created_on desc limit 1`,
      [name, of ?? null],
    )
  )[0]?.data
async function solved() {
  const { challenge, bits } = ok(await u.nobody('POST', '/certificates/graduate/puzzle', {}))
  return { challenge, nonce: await solvePuzzle(challenge, bits) }
}
const codeFor = async (email: string): Promise<string> =>
  String((await mailsOf(graduateCodes.job, { email, language: 'en' }))!.data!.code).replace(' ', '')
const proven = async (email: string) =>
  ok(await u.nobody('POST', '/certificates/graduate/verify', { email, code: await codeFor(email) }))
const ticketFor = async (email: string): Promise<string> => (await proven(email)).ticket

const given = (who: Person, more: Record<string, unknown> = {}) => ({
  language: 'en',
  name: who.name,
  identity_kind: 'national_id',
  identity: who.national_id,
  birth_date: who.birth_date,
  lang: 'en',
  copies: 1,
  speed: 'normal',
  delivery: 'electronic',
  why: 'For an employer',
  ...more,
})
const ask = async (type: number, who: Person, email: string, more: Record<string, unknown> = {}) =>
  u.nobody('POST', `/certificates/graduate/request/${type}`, { ticket: await ticketFor(email), ...given(who, more) })
interface Key {
  id: number
  key: string
}
const at = ({ id: request, key }: Key) => `/certificates/graduate/${request}/${key}`
const read = async (who: Key) => ok(await u.nobody('GET', at(who)))
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
async function sendProof(who: Key, content: Buffer = PNG, name = 'card.png'): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const request = new Request('http://x', { method: 'POST', body: form })
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${at(who)}/proof`,
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
}
const office = (action: string, request: number, by: Caller = clerk, body: object = {}) =>
  by('POST', `/graduate-requests/${action}/${request}`, body)
const step = (action: string, certificate: number, by: Caller = clerk, body: object = {}) =>
  by('POST', `/certificates/${action}/${certificate}`, body)
const certificateOf = async ({ id: request }: Key): Promise<number> =>
  (await q('select certificate_id as id from graduate_requests where id = $1', [request]))[0].id
const tell = () =>
  requestFeesJob.run(
    system(),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )

describe('an address', () => {
  test('is proven by a code that ends and is used once, and by nothing else', async () => {
    const email = 'code@example.com'
    ok(await u.nobody('POST', '/certificates/graduate/code', { email, language: 'ar', ...(await solved()) }))
    expect(await waiting('send-certificate-code')).toEqual({ email, language: 'ar' })
    const used = await solved()
    ok(await u.nobody('POST', '/certificates/graduate/code', { email, language: 'ar', ...used }))
    expect(said(await u.nobody('POST', '/certificates/graduate/code', { email, language: 'ar', ...used }))).toEqual([
      403,
      ['puzzle_wrong'],
    ])
    const verify = (code: string, of = email) => u.nobody('POST', '/certificates/graduate/verify', { email: of, code })
    const code = await codeFor(email)
    expect(said(await verify(code === '00000000' ? '00000001' : '00000000'))).toEqual([403, ['mailed_code_wrong']])
    expect(said(await verify(code, 'another@example.com'))).toEqual([403, ['mailed_code_over']])
    const twice = await Promise.all([verify(code), verify(code)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const late = await codeFor(email)
    await q(`update intake_codes set expires_at = now() - interval '1 second'`)
    expect(said(await verify(late))).toEqual([403, ['mailed_code_over']])
    const who = await person()
    expect(
      said(
        await u.nobody('POST', `/certificates/graduate/request/${await typeWith()}`, { ticket: 'a.b', ...given(who) }),
      ),
    ).toEqual([403, ['mailed_code_over']])
  })

  test('gets few mails, and few tries', async () => {
    const email = 'many@example.com'
    const answers: number[] = []
    for (let i = 0; i < 9; i++)
      answers.push(
        (await u.nobody('POST', '/certificates/graduate/code', { email, language: 'en', ...(await solved()) })).status,
      )
    expect(answers.at(0)).toBe(200)
    expect(answers).toContain(429)
  })
})

describe('asking', () => {
  test('is open for what graduates may have, with the price of both currencies before', async () => {
    const type = await typeWith({ payment_settings: PRICES })
    const others = [
      await typeWith({ for_students: true, for_graduates: false }),
      await typeWith({ is_active: false }),
      await typeWith({ needs_photo: true }),
    ]
    const [student, hidden, photo] = others
    const offered = ok(await u.nobody('GET', '/certificates/graduate/types'))
    expect(offered.find((row: { id: number }) => row.id === type)).toMatchObject({
      prices: [
        { speed: 'normal', days: 3, local: 5000, local_copy: 1000, usd: 500, usd_copy: 100 },
        { speed: 'urgent', days: 1, local: 0 },
      ],
    })
    expect(offered.filter((row: { id: number }) => others.includes(row.id))).toEqual([])
    const who = await person()
    const refused = async (of: number, more = {}) => {
      await q('delete from login_attempts')
      return reasons(await ask(of, who, 'asks@example.com', more))
    }
    expect(await refused(student!)).toEqual(['certificate_not_for_you@type_id'])
    expect(await refused(hidden!)).toEqual(['certificate_not_offered@type_id'])
    expect(await refused(photo!)).toEqual(['graduate_photo@type_id'])
    expect(await refused(999_999)).toEqual(['certificate_not_offered@type_id'])
    expect(await refused(type, { copies: 9, delivery: 'by_mail' })).toEqual([
      'certificate_address@address',
      'certificate_copies@copies',
    ])
    expect(await refused(type, { identity: '123' })).toEqual(['national_id_digits@identity'])
    expect(await refused(type, { identity_kind: 'passport', identity: '?' })).toEqual(['graduate_identity@identity'])
    await q(
      `insert into certificate_dates (type_id, from_date, until_date) values ($1, university_today() + 5, university_today() + 9)`,
      [type],
    )
    expect(await refused(type)).toEqual(['certificate_opens_on@type_id'])
  })

  test('goes on at once where the address is that of the record, and is charged', async () => {
    const who = await person()
    const type = await typeWith({ payment_settings: PRICES })
    const made = ok(await ask(type, who, who.email, { copies: 3, lang: 'both' }))
    const shown = await read(made)
    expect(shown).toMatchObject({
      status: 'identified',
      certificate_status: 'fee_due',
      fee: { amount: 14_000, open: 14_000, currency: 'EGP' },
      can_send_proof: false,
      can_withdraw: true,
    })
    expect(shown.line.find((row: { state: string }) => row.state === 'now')).toMatchObject({ step: 'paid' })
    expect(await q('select student_id from certificates where id = $1', [await certificateOf(made)])).toEqual([
      { student_id: who.id },
    ])
    // Whoever has only the address of a mail gets a link with a key of its own.
    const link = await mailsOf(sendGraduateLink, await waiting('send-certificate-link', made.id))
    expect(link).toMatchObject({ to: who.email, key: 'certificate_link' })
    expect(String(link!.data!.link)).toMatch(new RegExp(`/certificates/graduate/${made.id}/${made.key}$`))
    // One of a type is on its way for a person.
    expect(said(await ask(type, who, who.email))).toEqual([409, ['certificate_asked_twice@type_id']])
    expect((await q('select count(*)::int as n from graduate_requests where email = $1', [who.email]))[0].n).toBe(1)
  })

  test('a debt that holds certificates holds those of graduates', async () => {
    const who = await person()
    const type = await typeWith()
    await q(
      `create or replace function certificates_held(of_student integer) returns boolean language sql stable as 'select true'`,
    )
    try {
      expect(said(await ask(type, who, who.email))).toEqual([409, ['certificates_held']])
      const waits = ok(await ask(type, who, 'elsewhere1@example.com'))
      ok(await sendProof(waits))
      expect(said(await office('confirm', waits.id))).toEqual([409, ['certificates_held']])
      expect((await read(waits)).status).toBe('to_check')
    } finally {
      await q(
        `create or replace function certificates_held(of_student integer) returns boolean language sql stable as 'select kept_by_debt(of_student, ''certificates'')'`,
      )
    }
  })

  test('tells nobody whether a person is known: known, unknown and still studying look the same', async () => {
    const known = await person()
    const studying = await person('studying')
    const type = await typeWith({ payment_settings: PRICES })
    const nobody: Person = { ...known, name: 'Nobody Here', national_id: '29901010199999' }
    const others: Person[] = [known, studying, nobody, { ...known, birth_date: '1999-01-02' }]
    const answers: unknown[] = []
    for (const [i, who] of others.entries()) {
      await q('delete from login_attempts')
      const answer = await ask(type, who, `stranger${i}@example.com`)
      const { id: request, key, ...more } = ok(answer)
      const shown = await read({ id: request, key })
      expect(Object.keys(more)).toEqual([])
      answers.push([answer.status, { ...shown, id: 0, code: '', email: '', name: '', created_at: '' }])
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    // The office alone sees which record fits.
    const rows = await q(`select email, student_id from graduate_requests where email like 'stranger%' order by email`)
    expect(rows.map((row) => row.student_id)).toEqual([known.id, null, null, null])
  })

  test('numbers are known by code and passport as well, however they are typed', async () => {
    const who = await person()
    await q(`update students set passport_number = 'A12345678' where id = $1`, [who.id])
    const type = await typeWith()
    const found = async (more: object, email: string) => {
      await q('delete from login_attempts')
      const made = ok(await ask(type, who, email, more as never))
      return (await q('select student_id from graduate_requests where id = $1', [made.id]))[0].student_id
    }
    expect(await found({ identity_kind: 'code', identity: who.code.toLowerCase() }, 'k1@example.com')).toBe(who.id)
    expect(await found({ identity_kind: 'passport', identity: 'a 1234-5678' }, 'k2@example.com')).toBe(who.id)
    expect(await found({ identity_kind: 'passport', identity: who.national_id }, 'k3@example.com')).toBeNull()
  })

  test('is limited for an address and for a person, whether there is one or not', async () => {
    const type = await typeWith()
    const who: Person = { ...(await person()), national_id: '29901010188888' }
    const statuses: number[] = []
    for (let i = 0; i < 9; i++) statuses.push((await ask(type, who, `guess${i}@example.com`)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
    await q('delete from login_attempts')
    const mine: number[] = []
    for (let i = 0; i < 14; i++)
      mine.push((await ask(type, { ...who, national_id: `299010101${70_000 + i}` }, 'one@example.com')).status)
    expect([mine[0], mine.at(-1)]).toEqual([200, 429])
  })

  test('pressed twice, also in two processes, is one request', async () => {
    const who = await person()
    const type = await typeWith()
    const ticket = await ticketFor('twice@example.com')
    const body = { ticket, ...given(who) }
    const both = await Promise.all([
      u.nobody('POST', `/certificates/graduate/request/${type}`, body),
      u.nobody('POST', `/certificates/graduate/request/${type}`, body),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(reasons(both.find(({ status }) => status === 409)!)).toEqual(['graduate_request_twice'])
    // The same of a proven address.
    const own = await ticketFor(who.email)
    const mine = await Promise.all(
      [1, 2].map(() => u.nobody('POST', `/certificates/graduate/request/${type}`, { ticket: own, ...given(who) })),
    )
    expect(mine.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await q('select count(*)::int as n from certificates where student_id = $1', [who.id]))[0].n).toBe(1)
  })
})

describe('following', () => {
  test('is for whoever has the key: nobody else gets anything', async () => {
    const who = await person()
    const made = ok(await ask(await typeWith(), who, 'key@example.com'))
    const wrong = { id: made.id, key: newToken().token }
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/withdraw', {}],
      ['POST', '/pay', { way: 'mobile' }],
      ['POST', '/check/1', {}],
      ['GET', '/paper/1', undefined],
    ] as const)
      expect(said(await u.nobody(method, `${at(wrong)}${path}`, body))).toEqual([404, ['graduate_unknown']])
    expect(said(await sendProof(wrong))).toEqual([404, ['graduate_unknown']])
    expect(said(await u.nobody('GET', at({ id: 999_999, key: made.key })))).toEqual([404, ['graduate_unknown']])
    // Nor whoever has proven another address.
    expect(
      said(
        await u.nobody('POST', '/certificates/graduate/open', {
          ticket: await ticketFor('x@example.com'),
          id: made.id,
        }),
      ),
    ).toEqual([409, ['graduate_unknown']])
    const { ticket, requests } = await proven('key@example.com')
    expect(requests).toMatchObject([{ id: made.id, status: 'to_check' }])
    const again = ok(await u.nobody('POST', '/certificates/graduate/open', { ticket, id: made.id }))
    expect((await read(again)).status).toBe('to_check')
    // The key before is over.
    expect((await u.nobody('GET', at(made))).status).toBe(404)
  })

  test('a request is taken back while it waits, and while nothing is prepared', async () => {
    const who = await person()
    const type = await typeWith({ payment_settings: PRICES })
    const waits = ok(await ask(type, who, 'back@example.com'))
    expect(ok(await u.nobody('POST', `${at(waits)}/withdraw`, {}))).toMatchObject({ status: 'cancelled', line: [] })
    expect(said(await u.nobody('POST', `${at(waits)}/withdraw`, {}))).toEqual([409, ['graduate_decided']])
    expect(said(await sendProof(waits))).toEqual([409, ['graduate_decided']])
    const own = ok(await ask(type, who, who.email))
    const certificate = await certificateOf(own)
    expect(ok(await u.nobody('POST', `${at(own)}/withdraw`, {}))).toMatchObject({
      certificate_status: 'cancelled',
      fee: null,
    })
    expect((await q('select status from certificates where id = $1', [certificate]))[0].status).toBe('cancelled')
    const further = ok(await ask(await typeWith(), who, who.email))
    ok(await step('prepare', await certificateOf(further)))
    expect(said(await u.nobody('POST', `${at(further)}/withdraw`, {}))).toEqual([409, ['step_state']])
  })
})

describe('the office', () => {
  test('sees what was given beside the record, and confirms with a picture', async () => {
    const who = await person()
    const made = ok(await ask(await typeWith(), who, 'other@example.com', { name: 'Somebody' }))
    expect(said(await office('confirm', made.id))).toEqual([409, ['graduate_no_proof']])
    expect(said(await sendProof(made, Buffer.from('no picture'), 'card.png'))[0]).toBe(422)
    expect(ok(await sendProof(made))).toMatchObject({ proof: { name: 'card.png' }, can_send_proof: true })
    const review = ok(await clerk('GET', `/graduate-requests/${made.id}/review`))
    expect(review).toMatchObject({ record: { id: who.id, code: who.code }, proof: { name: 'card.png' } })
    expect(
      Object.fromEntries(review.agrees.map((row: { what: string; same: boolean }) => [row.what, row.same])),
    ).toEqual({
      identity: true,
      birth_date: true,
      name: false,
      email: false,
      graduated: true,
    })
    // What stands in the record and was not given is not shown.
    expect(JSON.stringify(review)).not.toContain(who.email)
    const listed = (
      await clerk('POST', '/graduate-requests', { search: 'other@example.com', filters: { status: ['to_check'] } })
    ).body.data
    expect(listed.map((row: { id: number }) => row.id)).toEqual([made.id])
    const twice = await Promise.all([office('confirm', made.id), office('confirm', made.id)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await read(made)).certificate_status).toBe('New')
    const news = await mailsOf(sendGraduateNews, await waiting('send-certificate-news', made.id))
    expect(news).toMatchObject({ to: 'other@example.com', key: 'certificate_confirmed' })
    // The mail has no key.
    expect(String(news!.data!.link)).toMatch(/\/certificates\/graduate$/)
    // Whoever confirmed may prepare it.
    ok(await step('prepare', await certificateOf(made)))
    await expect(
      q(`update graduate_requests set status = 'rejected', certificate_id = null where id = $1`, [made.id]),
    ).rejects.toThrow(/stands/)
    await expect(q(`update graduate_requests set identity = '1' where id = $1`, [made.id])).rejects.toThrow(/stays/)
  })

  test('chooses the record where none fits; only of a graduate, within reach, and not the own', async () => {
    const who = await person()
    const made = ok(await ask(await typeWith(), { ...who, birth_date: '1990-01-01' }, 'typo@example.com'))
    ok(await sendProof(made))
    expect(said(await office('confirm', made.id))).toEqual([409, ['graduate_no_record@student_id']])
    const row = ok(await clerk('GET', `/graduate-requests/${made.id}`))
    const choose = (student_id: number, by: Caller = clerk) =>
      by('PUT', `/graduate-requests/${made.id}`, { student_id, version: row.version })
    expect(said(await choose((await person('studying')).id))).toEqual([422, ['graduate_not_graduated@student_id']])
    expect(said(await choose(999_999))).toEqual([422, ['reference_missing@student_id']])
    await q('update students set user_id = $1 where id = $2', [clerk.user_id, who.id])
    expect(said(await choose(who.id))).toEqual([403, ['step_own']])
    await q('update graduate_requests set student_id = $1 where id = $2', [who.id, made.id])
    expect(said(await office('confirm', made.id))).toEqual([403, ['step_own']])
    await q('update graduate_requests set student_id = null where id = $1', [made.id])
    await q('update students set user_id = null where id = $1', [who.id])
    const now = ok(await clerk('GET', `/graduate-requests/${made.id}`))
    ok(await clerk('PUT', `/graduate-requests/${made.id}`, { student_id: who.id, version: now.version }))
    ok(await office('confirm', made.id))
    // Nothing is edited afterwards.
    expect((await clerk('PUT', `/graduate-requests/${made.id}`, { student_id: null })).status).toBe(409)
  })

  test('a record that is no longer of a graduate is not confirmed', async () => {
    const studying = await person('studying')
    const made = ok(await ask(await typeWith(), studying, 'nograd@example.com'))
    ok(await sendProof(made))
    await q('update graduate_requests set student_id = $1 where id = $2', [studying.id, made.id])
    expect(said(await office('confirm', made.id))).toEqual([409, ['graduate_not_graduated@student_id']])
  })

  test('keeps the picture for thirty days after it decided, and only the last one', async () => {
    const made = ok(await ask(await typeWith(), await person(), 'picture@example.com'))
    const fileOf = async () =>
      (await q('select proof_file_id as id from graduate_requests where id = $1', [made.id]))[0].id
    const there = async (file: number) => (await q('select from files where id = $1', [file])).length
    ok(await sendProof(made))
    const first = await fileOf()
    ok(await sendProof(made))
    const last = await fileOf()
    expect([last === first, await there(first), await there(last)]).toEqual([false, 0, 1])
    const run = () =>
      letGraduateProofsGo.run(
        system(),
        {},
        Object.assign(async () => {}, { signal: new AbortController().signal }),
      )
    // The history is written once: time passes for it alone.
    const decided = async (days: number) => {
      await q('alter table step_history disable trigger user')
      await q(
        `update step_history set at = now() - make_interval(days => $2) where workflow = 'graduate_request' and record_id = $1`,
        [made.id, days],
      )
      await q('alter table step_history enable trigger user')
    }
    await decided(40)
    await run()
    expect(await fileOf()).toBe(last)
    ok(await office('reject', made.id, clerk, { reason: 'Not readable' }))
    await run()
    expect(await fileOf()).toBe(last)
    await decided(31)
    await run()
    expect([await fileOf(), await there(last)]).toEqual([null, 0])
  })

  test('rejects with a reason, which goes by mail', async () => {
    const made = ok(await ask(await typeWith(), await person(), 'no@example.com'))
    expect((await office('reject', made.id)).status).toBe(422)
    ok(await office('reject', made.id, clerk, { reason: 'The picture is not yours' }))
    expect(await read(made)).toMatchObject({ status: 'rejected', reason: 'The picture is not yours', line: [] })
    const news = await mailsOf(sendGraduateNews, await waiting('send-certificate-news', made.id))
    expect(news).toMatchObject({ key: 'certificate_request_rejected', data: { reason: 'The picture is not yours' } })
    // One may ask again.
    await q('delete from login_attempts')
    ok(await ask(await typeWith(), await person(), 'no@example.com'))
  })

  test('is whoever prepares certificates, within reach; nobody else sees anything', async () => {
    const who = await person()
    const made = ok(await ask(await typeWith(), who, 'reach@example.com'))
    const unknown = ok(await ask(await typeWith(), { ...who, national_id: '29901010177777' }, 'reach@example.com'))
    const here = await u.as('registrar', ['faculty', id.ENG!])
    const elsewhere = await u.as('registrar', ['faculty', id.MED!])
    const sees = async (by: Caller, request: number) => (await by('GET', `/graduate-requests/${request}`)).status
    expect([await sees(here, made.id), await sees(elsewhere, made.id)]).toEqual([200, 404])
    // What fits no record is the whole university's.
    expect([await sees(here, unknown.id), await sees(clerk, unknown.id)]).toEqual([404, 200])
    for (const caller of [await u.as('student'), await u.as('instructor'), elsewhere]) {
      expect((await caller('POST', '/graduate-requests', {})).body.data ?? []).toEqual([])
      expect([403, 404]).toContain((await office('confirm', made.id, caller)).status)
      expect([403, 404]).toContain((await caller('GET', `/graduate-requests/${made.id}/review`)).status)
    }
    expect((await u.nobody('GET', `/graduate-requests/${made.id}`)).status).toBe(401)
  })
})

describe('paying and fetching', () => {
  test('is paid by a number without an account, and leads the certificate on; nobody else asks for that payment', async () => {
    const who = await person()
    const made = ok(await ask(await typeWith({ payment_settings: PRICES }), who, who.email))
    const { payment, fee } = ok(await u.nobody('POST', `${at(made)}/pay`, { way: 'mobile' }))
    expect(payment).toMatchObject({ way: 'mobile', amount: 5000, currency: 'EGP' })
    expect(payment.pay_number).toBeTruthy()
    expect(fee.under_way).toHaveLength(1)
    const other = await person()
    const stranger = ok(await ask(await typeWith({ payment_settings: PRICES }), other, other.email))
    expect(said(await u.nobody('POST', `${at(stranger)}/check/${payment.id}`, {}))).toEqual([
      409,
      ['certificate_no_payment'],
    ])
    const [{ order_number }] = await q(
      'select order_number from provider_charges where transaction_id = $1 order by id desc limit 1',
      [payment.id],
    )
    expect(fee.receipts).toEqual([])
    expect(said(await u.nobody('GET', `${at(made)}/receipt/${payment.id}`))).toEqual([409, ['certificate_no_payment']])
    await simulator.act(order_number, 'pay')
    await settleEvents(system())
    const checked = ok(await u.nobody('POST', `${at(made)}/check/${payment.id}`, {}))
    expect(checked).toMatchObject({ answered: true, payment: { status: 'paid' }, fee: { open: 0 } })
    expect(checked.fee.receipts).toMatchObject([{ id: payment.id }])
    const receipt = await u.nobody('GET', `${at(made)}/receipt/${payment.id}`)
    expect(receipt.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    // With the key of another request nobody comes to it.
    expect(said(await u.nobody('GET', `${at(stranger)}/receipt/${payment.id}`))).toEqual([
      409,
      ['certificate_no_payment'],
    ])
    // The office asks the same by the call of the documents.
    expect(ok(await clerk('POST', `/certificates/students/payment/check/${payment.id}`))).toMatchObject({ paid: true })
    await tell()
    expect((await read(made)).certificate_status).toBe('New')
    expect(said(await u.nobody('POST', `${at(made)}/pay`, { way: 'mobile' }))).toEqual([409, ['graduate_nothing_due']])
  })

  test('a receipt that tells of other invoices as well is not given with the key of one request', async () => {
    const who = await person()
    const made = ok(await ask(await typeWith({ payment_settings: PRICES }), who, who.email))
    await certificateOf(made)
    await m.invoice(who.id, [[1000, -40]])
    // One payment at the desk for both.
    const transaction = await m.transaction(who.id, 6000)
    await system().write((tx) => bookTransactions(system(), tx, [transaction]))
    expect((await q('select from transaction_allocations where transaction_id = $1', [transaction])).length).toBe(2)
    expect((await read(made)).fee).toMatchObject({ open: 0, receipts: [] })
    expect(said(await u.nobody('GET', `${at(made)}/receipt/${transaction}`))).toEqual([409, ['certificate_no_payment']])
  })

  test('is paid at the desk as well; the file is fetched once it is released, and by nobody else', async () => {
    const who = await person()
    const made = ok(await ask(await typeWith({ payment_settings: PRICES }), who, who.email))
    const certificate = await certificateOf(made)
    const [{ invoice_id }] = await q(
      `select invoice_id from request_fees where workflow = 'certificate' and record_id = $1`,
      [certificate],
    )
    const transaction = await m.transaction(who.id, 5000, { invoice: invoice_id })
    await system().write((tx) => bookTransactions(system(), tx, [transaction]))
    await tell()
    for (const [action, by] of [
      ['prepare', clerk],
      ['send_to_review', clerk],
      ['review', reviewer],
      ['issue', clerk],
    ] as const)
      ok(await step(action, certificate, by))
    const [{ paper_id }] = await q('select paper_id from certificate_papers where certificate_id = $1', [certificate])
    expect((await read(made)).papers).toEqual([])
    expect(said(await u.nobody('GET', `${at(made)}/paper/${paper_id}`))).toEqual([409, ['certificate_no_paper']])
    ok(await step('deliver', certificate))
    expect(await mailsOf(sendGraduateNews, await waiting('send-certificate-news', made.id))).toMatchObject({
      to: who.email,
      key: 'certificate_released',
    })
    const shown = await read(made)
    expect(shown.papers).toMatchObject([{ id: paper_id, lang: 'en' }])
    expect(shown.line.every((row: { state: string }) => row.state === 'done')).toBe(true)
    const file = await u.nobody('GET', `${at(made)}/paper/${paper_id}`)
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const other = await person()
    const stranger = ok(await ask(await typeWith(), other, other.email))
    expect(said(await u.nobody('GET', `${at(stranger)}/paper/${paper_id}`))).toEqual([409, ['certificate_no_paper']])
  })

  test('what is handed over is told when it is ready, what is sent when it is sent, and a rejection with its reason', async () => {
    const who = await person()
    const way = async (delivery: string) => {
      await q('delete from login_attempts')
      const made = ok(
        await ask(await typeWith(), who, who.email, {
          delivery,
          ...(delivery === 'by_mail' && { address: '1 Corniche' }),
        }),
      )
      const certificate = await certificateOf(made)
      for (const [action, by] of [
        ['prepare', clerk],
        ['send_to_review', clerk],
        ['review', reviewer],
        ['issue', clerk],
      ] as const)
        ok(await step(action, certificate, by))
      return { made, certificate, told: (await waiting('send-certificate-news', made.id))?.told }
    }
    expect((await way('by_hand')).told).toBe('certificate_issue')
    const sent = await way('by_mail')
    expect(sent.told).toBeUndefined()
    ok(await step('deliver_by_mail', sent.certificate))
    expect((await waiting('send-certificate-news', sent.made.id)).told).toBe('certificate_deliver_by_mail')
    const made = ok(await ask(await typeWith(), who, who.email))
    ok(await step('reject', await certificateOf(made), clerk, { reason: 'Not complete' }))
    expect(await read(made)).toMatchObject({ certificate_status: 'Rejected', reason: 'Not complete', line: [] })
    expect(await waiting('send-certificate-news', made.id)).toMatchObject({
      told: 'certificate_reject',
      reason: 'Not complete',
    })
  })
})
