/** Certificates for who works here: asked for, prepared from the record of the work, signed, issued, verified, revoked. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { requestFeesJob } from '#areas/money/invoices/requests/fee.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { certificatesServer } from './certificates.server.ts'
import { certificateClock } from './turns/clock.server.ts'
import { checkCertificateSetting } from './types/type.rules.ts'

const SAID = {
  document: 'text',
  body: '{name} is {job_title} since {works_since}.',
  body_local: '{name} يعمل {job_title} منذ {works_since}.',
  for_students: false,
  for_graduates: false,
  for_staff: true,
  by_hand: true,
  by_mail: false,
  electronic: false,
}
test.each([
  ['for staff alone', {}, []],
  ['a place that only students have', { body: '{name}, {program}' }, ['certificate_place@body']],
  [
    'a place that only staff have, for students',
    { for_staff: false, for_students: true, body_local: '{name}' },
    ['certificate_place@body'],
  ],
  ['for students too', { for_students: true }, ['certificate_type_staff@for_staff']],
  ['with what stands on a transcript', { document: 'transcript' }, ['certificate_type_staff@for_staff']],
  [
    'for nobody',
    { for_staff: false, body: '{name}', body_local: '{name}' },
    ['certificate_type_audience@for_students'],
  ],
] as const)('a type %s', (_name, given, expected) =>
  expect(checkCertificateSetting({ ...SAID, ...given }).map(({ code, field }) => `${code}@${field}`)).toEqual(expected),
)

let uni: TestUniversity
let w: RegistrationWorld
/** Asks; a colleague; who teaches in the same faculty; a student. */
let nadia: Caller
let colleague: Caller
let teacher: Caller
let student: Caller
let student_id: number
/** The office; who reviews; the office of one faculty, and of another; signers. */
let clerk: Caller
let reviewer: Caller
let near: Caller
let far: Caller
let dean: Caller
let president: Caller
const q = <T = any>(text: string, values: unknown[] = []): Promise<T[]> => w.query(text, values) as Promise<T[]>
const quiet = () => Object.assign(async () => {}, { signal: new AbortController().signal })
const system = () => asSystem(uni.services, 'test')

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    peopleServer,
    studentsServer,
    feesServer,
    ledgerServer,
    invoicesServer,
    certificatesServer,
  ])
  w = await registrationWorld(uni)
  clerk = await uni.as('registrar')
  reviewer = await uni.as('affair_manager')
  near = await uni.as('registrar', ['faculty', w.faculty])
  far = await uni.as('registrar', ['faculty', w.otherFaculty])
  dean = await uni.as('dean', ['faculty', w.faculty])
  president = await uni.as('president')
  nadia = await uni.as('admission_officer', undefined, { name: 'Nadia Clerk' })
  colleague = await uni.as('admission_officer')
  teacher = await uni.as('instructor', undefined, { type: 1, name: 'Hany Teacher' })
  await q(
    `with j as (insert into job_titles (code, name, name_local) values ('ADM', 'Admission Officer', 'مسؤول قبول') returning id)
     update users set faculty_id = $1, code = 'ST-' || users.id, job_title_id = j.id from j where users.id = any($2)`,
    [w.faculty, [nadia.user_id, colleague.user_id]],
  )
  await q(
    `insert into employee_contracts (employee_id, kind, from_date, to_date) values ($1, 'fixed_term', '2019-03-01', '2021-02-28'),
       ($1, 'permanent', '2021-03-01', null)`,
    [nadia.user_id],
  )
  await q(
    `insert into instructors (user_id, code, name, name_local, faculty_id, academic_title) values ($1, 'T-7', 'Hany Teacher', 'هاني', $2, 'lecturer')`,
    [teacher.user_id, w.faculty],
  )
  const found = await w.student()
  student_id = found.id
  student = found.as
  for (const [code, user, faculty] of [
    ['DEAN', dean, w.faculty],
    ['PRESIDENT', president, null],
  ] as const)
    await q(
      `insert into signatory_holders (position_id, user_id, faculty_id, valid_from)
       select id, $2, $3, university_today() - 10 from signatory_positions where code = $1`,
      [code, user.user_id, faculty],
    )
}, 180_000)
afterAll(() => uni?.close())
beforeEach(async () => {
  await q(`update certificates set status = 'cancelled' where status in ('fee_due', 'New', 'updated')`)
})

let n = 0
const typeWith = async (given: object = {}, signers: readonly string[] = ['DEAN', 'PRESIDENT']): Promise<number> => {
  const positions = await q<{ id: number; code: string }>('select id, code from signatory_positions')
  return ok(
    await clerk('POST', '/services-settings/certificates', {
      ...SAID,
      code: `W${++n}`,
      name: 'Employment',
      name_local: 'شهادة عمل',
      body: '{name} ({code}) works as {job_title} at {faculty} since {works_since}: {contract}, until {contract_until}.',
      days_normal: 3,
      most_copies: 3,
      electronic: true,
      is_active: true,
      signers: signers.map((code) => ({ position_id: positions.find((one) => one.code === code)!.id })),
      ...given,
    }),
  ).id
}
const ask = (type_id: number, given: object = {}, by: Caller = nadia): Promise<Answer> =>
  by('PUT', '/certificates', {
    staff_id: by.user_id,
    type_id,
    lang: 'en',
    copies: 1,
    speed: 'normal',
    delivery: 'electronic',
    why: 'For an embassy',
    ...given,
  })
const asked = async (type: number, given: object = {}, by: Caller = nadia): Promise<number> =>
  ok(await ask(type, given, by)).id
const step = (action: string, id: number, by: Caller, body: object = {}) =>
  by('POST', `/certificates/${action}/${id}`, body)
const sign = (id: number, by: Caller) => step('sign', id, by)
const detail = async (id: number, by: Caller = clerk) => ok(await by('GET', `/certificates/${id}/details`))
const stateOf = async (id: number) => (await q('select status from certificates where id = $1', [id]))[0].status
const listed = async (by: Caller, filters: object = {}): Promise<number[]> =>
  (await by('POST', '/certificates', { filters })).body.data.map((row: { id: number }) => row.id)
const reviewed = async (type: number, by: Caller = nadia): Promise<number> => {
  const id = await asked(type, {}, by)
  ok(await step('prepare', id, clerk))
  ok(await step('send_to_review', id, clerk))
  ok(await step('review', id, reviewer))
  return id
}

describe('asking', () => {
  test('who works here is offered what is for staff, at the price for staff', async () => {
    const type = await typeWith({
      payment_settings: [
        { audience: 'staff', speed: 'normal', value_local: 4000, value_usd: 400, copy_local: 1000, copy_usd: 100 },
      ],
    })
    const others = await typeWith({ for_students: true, for_staff: false, body: '{name}', body_local: '{name}' })
    const see = async (by: Caller, query = '') => {
      const ids = ok(await by('GET', `/certificates/types${query}`)).map((row: { id: number }) => row.id)
      return [ids.includes(type), ids.includes(others)]
    }
    expect(await see(nadia)).toEqual([true, false])
    expect(await see(teacher)).toEqual([true, false])
    expect(await see(student)).toEqual([false, true])
    expect(await see(clerk, `?staff_id=${nadia.user_id}`)).toEqual([true, false])
    expect(await see(colleague, `?staff_id=${nadia.user_id}`)).toEqual([false, false])
    const [found] = ok(await nadia('GET', '/certificates/types')).filter((row: { id: number }) => row.id === type)
    expect(found).toMatchObject({ audience: 'staff', prices: [{ amount: 4000, copy: 1000, currency: 'EGP' }] })
    expect(reasons(await ask(others))).toEqual(['certificate_not_for_you@type_id'])
    expect(reasons(await ask(type, { staff_id: undefined, student_id }, student))).toEqual([
      'certificate_not_for_you@type_id',
    ])
  })

  test('one asks for oneself, the office for those within reach; one of a type at a time', async () => {
    const type = await typeWith()
    for (const by of [colleague, student, far])
      expect((await ask(type, { staff_id: nadia.user_id }, by)).status).toBe(403)
    expect(reasons(await ask(type, { staff_id: undefined }))).toEqual(['required@student_id'])
    expect(reasons(await ask(type, { student_id }, clerk))).toEqual(['certificate_whose@staff_id'])
    expect(reasons(await ask(type, { staff_id: student.user_id }, clerk))).toEqual(['reference_missing@staff_id'])
    const race = await Promise.all([ask(type), ask(type, { staff_id: nadia.user_id }, near)])
    expect(race.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(reasons(await ask(type))).toEqual(['certificate_asked_twice@type_id'])
    const insert = `insert into certificates (staff_id, student_id, type_id, lang, copies, speed, delivery, why)
      values ($1, $2, $3, 'en', 1, 'normal', 'by_hand', 'x')`
    await expect(q(insert, [nadia.user_id, null, type])).rejects.toThrow('certificate_asked_by_staff')
    await expect(q(insert, [nadia.user_id, student_id, type])).rejects.toThrow('certificate_whose')
    await expect(q(insert, [null, null, type])).rejects.toThrow('certificate_whose')
    await expect(q('update certificate_settings set for_students = true where id = $1', [type])).rejects.toThrow(
      'certificate_type_staff',
    )
  })

  test('the wrong person gets nothing', async () => {
    const id = await asked(await typeWith())
    for (const by of [colleague, teacher, student, far]) {
      expect((await by('GET', `/certificates/${id}`)).status).toBe(404)
      expect((await by('GET', `/certificates/${id}/details`)).status).toBe(404)
      expect(await listed(by)).not.toContain(id)
      expect((await by('PUT', `/certificates/${id}`, { delivery: 'by_hand', why: 'Mine' })).status).toBe(404)
      expect((await step('cancel', id, by)).status).not.toBe(200)
      expect((await step('prepare', id, by)).status).not.toBe(200)
      expect((await by('GET', `/staff/${nadia.user_id}/papers`)).status).toBe(404)
    }
    expect(await listed(nadia)).toContain(id)
    expect(await listed(near)).toContain(id)
    ok(await nadia('PUT', `/certificates/${id}`, { delivery: 'by_hand', why: 'For a bank' }))
    ok(await step('cancel', id, nadia))
    expect(await stateOf(id)).toBe('cancelled')
  })
})

describe('from the request to the paper', () => {
  test('prepared from the record of the work, signed by the faculty where it is, issued, opened, verified, revoked', async () => {
    const id = await reviewed(await typeWith({ valid_days: 90 }))
    expect((await detail(id)).chain.map((one: { holder: { id: number } }) => one.holder.id)).toEqual([
      dean.user_id,
      president.user_id,
    ])
    expect(reasons(await sign(id, president))).toEqual(['certificate_not_your_turn'])
    ok(await sign(id, dean))
    ok(await sign(id, president))
    expect(await stateOf(id)).toBe('approved')
    ok(await step('issue', id, clerk))
    // Nothing is opened before it is released.
    const [paper] = (await detail(id, nadia)).papers
    expect((await nadia('GET', `/certificates/${id}/paper/${paper.id}`)).status).toBe(409)
    ok(await step('deliver', id, clerk))
    const file = await nadia('GET', `/certificates/${id}/paper/${paper.id}`)
    expect([file.status, file.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    for (const by of [colleague, student, far])
      expect(reasons(await by('GET', `/certificates/${id}/paper/${paper.id}`))).toEqual(['certificate_no_paper'])
    const [kept] = await q(
      'select kind, subject, subject_id, code, valid_until is not null as ends from papers where id = $1',
      [paper.id],
    )
    expect(kept).toMatchObject({ kind: 'staff_certificate', subject: 'user', subject_id: nadia.user_id, ends: true })
    const verified = async () => ok(await uni.nobody('GET', `/papers/${kept.code}`))
    expect(await verified()).toMatchObject({
      state: 'valid',
      paper: {
        holder: { name: 'Nadia Clerk' },
        title: { name: 'Employment' },
        facts: expect.arrayContaining([
          expect.objectContaining({ value: expect.objectContaining({ name: 'Admission Officer' }) }),
        ]),
      },
    })
    // The holder says how much others see, and nobody else does.
    const disclose = (by: Caller) =>
      by('PUT', `/staff/${nadia.user_id}/papers/${paper.id}/disclosure`, { disclosure: 'nothing' })
    expect((await disclose(colleague)).status).toBe(404)
    ok(await disclose(nadia))
    expect((await verified()).paper).toMatchObject({ holder: null, facts: [] })
    // None is issued at once, beside the way.
    const direct = await clerk('POST', `/staff/${nadia.user_id}/papers`, { kind: 'staff_certificate', lang: 'en' })
    expect(reasons(direct)).toEqual(['not_a_choice@kind'])
    expect((await nadia('POST', `/staff/${nadia.user_id}/papers/${paper.id}/revoke`, { reason: 'Mine' })).status).toBe(
      403,
    )
    ok(await reviewer('POST', `/staff/${nadia.user_id}/papers/${paper.id}/revoke`, { reason: 'Left the job' }))
    expect((await verified()).state).toBe('revoked')
  })

  test('what changes in the record after it was prepared stops it; a correction takes the new words', async () => {
    const id = await reviewed(await typeWith({ body: '{job_title}', body_local: '{job_title}' }))
    await q(`update job_titles set name = 'Head of Admission' where code = 'ADM'`)
    expect((await detail(id)).changed).toBe(true)
    expect(reasons(await sign(id, dean))).toEqual(['certificate_changed'])
    ok(await step('correct', id, clerk, { reason: 'A new title' }))
    ok(await step('prepare', id, clerk))
    expect((await detail(id)).changed).toBe(false)
    await q(`update job_titles set name = 'Admission Officer' where code = 'ADM'`)
  })

  test('who makes certificates does nothing for the own one, and opens it as everybody opens the own', async () => {
    const type = await typeWith({}, [])
    const office = await uni.as('registrar')
    const id = await asked(type, {}, clerk)
    for (const action of ['prepare', 'reject'])
      expect(reasons(await step(action, id, clerk, { reason: 'Because' }))).toContain('step_own')
    ok(await step('prepare', id, office, {}))
    ok(await step('send_to_review', id, office))
    ok(await step('review', id, reviewer))
    ok(await step('issue', id, office))
    const own = await detail(id, clerk)
    expect(own.own).toBe(true)
    expect((await clerk('GET', `/certificates/${id}/paper/${own.papers[0].id}`)).status).toBe(409)
    expect((await office('GET', `/certificates/${id}/paper/${own.papers[0].id}`)).status).toBe(200)
    expect(await listed(clerk, { mine: true })).toContain(id)
    expect(await listed(clerk, { mine: false })).not.toContain(id)
  })

  test('who teaches is called by the academic rank, and belongs to the faculty of the record', async () => {
    const id = await asked(await typeWith({ body: '{job_title}, {faculty}, {department}' }), {}, teacher)
    ok(await step('prepare', id, near))
    const draft = await near('GET', `/certificates/${id}/draft/en`)
    expect(draft.status).toBe(200)
    expect((await far('GET', `/certificates/${id}/draft/en`)).status).toBe(404)
  })

  test('a text is looked at with somebody within reach', async () => {
    const preview = (given: object, by: Caller = clerk) =>
      by('POST', '/certificate-settings/preview', { lang: 'en', title: 'T', text: '{name}, {job_title}', ...given })
    expect((await preview({ staff_id: nadia.user_id })).bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(reasons(await preview({ staff_id: student.user_id }))).toEqual(['reference_missing@staff_id'])
    expect(reasons(await preview({}))).toEqual(['reference_missing@student_id'])
  })
})

test('paid as a payer of the staff before it is prepared; withdrawn, it is in the own wallet', async () => {
  const price = {
    audience: 'staff',
    speed: 'normal',
    value_local: 4000,
    value_usd: 400,
    copy_local: 1000,
    copy_usd: 100,
  }
  const id = await asked(await typeWith({ payment_settings: [price] }), { copies: 2 })
  const { fee } = await detail(id, nadia)
  expect([await stateOf(id), fee]).toEqual(['fee_due', expect.objectContaining({ amount: 5000, paid: false })])
  const [invoice] = await q(
    'select p.user_id, i.type, i.faculty_id from invoices i join payers p on p.id = i.payer_id where i.id = $1',
    [fee.invoice_id],
  )
  expect(invoice).toEqual({ user_id: nadia.user_id, type: 'certificates', faculty_id: w.faculty })
  const [made] = await q(
    `insert into transactions (payer_id, way, currency, amount, status, invoice_id)
     select payer_id, 'bank', 'EGP', 5000, 'pending', id from invoices where id = $1 returning id`,
    [fee.invoice_id],
  )
  const ctx = system()
  await ctx.write((tx) => bookTransactions(ctx, tx, [made.id]))
  await requestFeesJob.run(system(), {}, quiet())
  expect(await stateOf(id)).toBe('New')
  ok(await step('cancel', id, nadia))
  const [balance] = await q(
    `select wallet::int as wallet from payer_balances b join payers p on p.id = b.payer_id where p.user_id = $1 and currency = 'EGP'`,
    [nadia.user_id],
  )
  expect(balance.wallet).toBe(5000)
})

test('what waits too long is told to the office of the faculty of the work, with the name of who asked', async () => {
  const id = await asked(await typeWith({ prepare_days: 1 }))
  await q(`update certificate_turns set due_on = university_today() - 2 where certificate_id = $1`, [id])
  await certificateClock.run(system(), {}, quiet())
  const told = (by: Caller) =>
    q(`select data from notifications where user_id = $1 and key = 'certificates.notice_overdue'`, [by.user_id])
  expect((await told(near)).map(({ data }) => data.name)).toEqual(['Nadia Clerk'])
  expect(await told(far)).toEqual([])
})
