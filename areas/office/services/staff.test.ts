/** Services for who works here: asked for, paid by the own account, worked on within the reach of the work. */
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
import { retention } from '#kit/server/jobs/retention.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { serviceClock } from './requests/clock.server.ts'
import { servicesServer } from './services.server.ts'

let uni: TestUniversity
let w: RegistrationWorld
let registrar: Caller
/** Asks, and works in one faculty; a colleague there; who teaches there, and has no faculty of the account. */
let clerk: Caller
let colleague: Caller
let teacher: Caller
/** An office of the faculty, of another one, and of the whole university. */
let near: Caller
let far: Caller
let everywhere: Caller
let manager: Caller
let student: Caller
let student_id: number
const office: Record<string, number> = {}
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
    servicesServer,
  ])
  w = await registrationWorld(uni)
  registrar = await uni.as('registrar')
  clerk = await uni.as('admission_officer', undefined, { name: 'Nadia Clerk' })
  colleague = await uni.as('admission_officer')
  teacher = await uni.as('instructor', undefined, { type: 1, name: 'Hany Teacher' })
  await q('update users set faculty_id = $1 where id = any($2)', [w.faculty, [clerk.user_id, colleague.user_id]])
  await q(
    `insert into instructors (user_id, code, name, name_local, faculty_id, academic_title) values ($1, 'T-7', 'Hany Teacher', 'هاني', $2, 'lecturer')`,
    [teacher.user_id, w.faculty],
  )
  near = await uni.as('competent_employee', ['faculty', w.faculty])
  far = await uni.as('competent_employee', ['faculty', w.otherFaculty])
  everywhere = await uni.as('registration_unit')
  manager = await uni.as('affair_manager')
  const found = await w.student()
  student_id = found.id
  student = found.as
  for (const key of ['competent_employee', 'registration_unit'])
    office[key] = (await q('select id from roles where key = $1', [key]))[0].id
}, 180_000)
afterAll(() => uni?.close())
beforeEach(async () => {
  await q(`update services set status = 'cancelled' where status not in ('done', 'Rejected', 'cancelled')`)
})

let n = 0
const kindWith = async (given: object = {}): Promise<number> =>
  ok(
    await registrar('PUT', '/service-kinds', {
      code: `S${++n}`,
      name: 'Staff card',
      name_local: 'بطاقة عامل',
      for_students: false,
      for_graduates: false,
      for_staff: true,
      price_local: 0,
      price_usd: 0,
      is_active: true,
      own_fields: [],
      offices: [
        { name: 'Desk', name_local: 'شباك', role_id: office.competent_employee, days: 2, note_shown: false },
        { name: 'Unit', name_local: 'وحدة', role_id: office.registration_unit, days: 3, note_shown: true },
      ],
      ...given,
    }),
  ).id
const ask = (kind_id: number, given: object = {}, by: Caller = clerk): Promise<Answer> =>
  by('PUT', '/services/request', { kind_id, answers: {}, key: `key-${++n}-of-staff`, ...given })
const asked = async (kind: number, given: object = {}, by: Caller = clerk): Promise<number> =>
  ok(await ask(kind, given, by)).id
const show = async (id: number, by: Caller = manager) => ok(await by('GET', `/services/request/${id}`))
const to = (status: string, id: number, by: Caller, body: object = {}) =>
  by('POST', `/services/updateStatus/${id}`, { status, ...body })
const listed = async (by: Caller, filters: object = {}): Promise<number[]> =>
  (await by('POST', '/services', { filters })).body.data.map((row: { id: number }) => row.id)
const told = async (user: Caller, key: string): Promise<{ data: any; link: string }[]> =>
  q('select data, link from notifications where user_id = $1 and key = $2 order by id desc', [user.user_id, key])

describe('asking', () => {
  test('who works here is offered what is for staff, and nothing else', async () => {
    const mine = await kindWith({ price_local: 8000, price_usd: 800 })
    const students = await kindWith({ for_students: true, for_staff: false })
    const both = await kindWith({ for_students: true })
    const offered = async (by: Caller, query = '') =>
      ok(await by('GET', `/services/index${query}`)).map((row: { id: number }) => row.id)
    const see = async (by: Caller, query = '') => {
      const ids = await offered(by, query)
      return [mine, students, both].map((one) => ids.includes(one))
    }
    expect(await see(clerk)).toEqual([true, false, true])
    expect(await see(teacher)).toEqual([true, false, true])
    expect(await see(student)).toEqual([false, true, true])
    expect(await see(manager, `?staff_id=${clerk.user_id}`)).toEqual([true, false, true])
    // Of whom the reader may not ask for, nothing is said.
    expect(await offered(colleague, `?staff_id=${clerk.user_id}`)).toEqual([])
    expect(await offered(student, `?staff_id=${clerk.user_id}`)).toEqual([])
    expect(ok(await clerk('GET', '/services/index')).find((row: { id: number }) => row.id === mine)).toMatchObject({
      price: 8000,
      currency: 'EGP',
    })
    expect(reasons(await ask(students))).toEqual(['service_not_for_you@kind_id'])
    expect(reasons(await ask(mine, {}, student))).toEqual(['service_not_for_you@kind_id'])
  })

  test('one asks for oneself; who manages services asks for those within reach, and says for whom', async () => {
    const kind = await kindWith()
    expect((await ask(kind, { staff_id: clerk.user_id }, colleague)).status).toBe(403)
    expect((await ask(kind, { staff_id: clerk.user_id }, student)).status).toBe(403)
    expect((await ask(kind, { staff_id: clerk.user_id }, near)).status).toBe(403)
    const elsewhere = await uni.as('affair_manager', ['faculty', w.otherFaculty])
    expect((await ask(kind, { staff_id: clerk.user_id }, elsewhere)).status).toBe(403)
    expect((await ask(kind, { staff_id: student.user_id }, manager)).status).toBe(422)
    expect(reasons(await ask(kind, { staff_id: 999_999 }, manager))).toEqual(['reference_missing@staff_id'])
    expect(reasons(await ask(kind, { staff_id: clerk.user_id, student_id }, manager))).toEqual([
      'service_whose@staff_id',
    ])
    const request = await asked(kind, { staff_id: clerk.user_id }, manager)
    expect(await show(request, clerk)).toMatchObject({ student: null, staff: { id: clerk.user_id }, mine: true })
    await expect(q(`insert into services (kind_id) values ($1)`, [kind])).rejects.toThrow('service_whose')
    await expect(
      q(`insert into services (kind_id, student_id, staff_id) values ($1, $2, $3)`, [kind, student_id, clerk.user_id]),
    ).rejects.toThrow('service_whose')
  })

  test('who studies and works here asks as a student, unless he or she says otherwise', async () => {
    const both = await w.student()
    await q(
      `insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'admission_officer'`,
      [both.user_id],
    )
    const by = await uni.signIn(both.user_id)
    const request = await asked(await kindWith({ for_students: true }), {}, by)
    expect(await show(request)).toMatchObject({ student: { id: both.id }, staff: null })
  })

  test('pressed twice it is one request; one at a time it is one on its way', async () => {
    const kind = await kindWith({ one_at_a_time: true })
    const key = 'pressed-twice-staff'
    const both = await Promise.all([ask(kind, { key }), ask(kind, { key })])
    expect(both.map((answer) => answer.status)).toEqual([200, 200])
    expect(ok(both[0]!).id).toBe(ok(both[1]!).id)
    expect(reasons(await ask(kind))).toEqual(['service_asked_twice@kind_id'])
    // Why not now is said in words, before anything is filled in.
    expect(ok(await clerk('GET', '/services/index')).find((row: { id: number }) => row.id === kind).refused).toEqual([
      expect.objectContaining({ code: 'service_asked_twice', en: expect.stringMatching(/on its way/) }),
    ])
    const race = await Promise.all([ask(kind, {}, colleague), ask(kind, {}, colleague)])
    expect(race.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    await expect(
      q(`insert into services (staff_id, kind_id, client_key) values ($1, $2, $3)`, [clerk.user_id, kind, key]),
    ).rejects.toThrow('service_sent_by_staff')
    await expect(
      q(`insert into services (staff_id, kind_id, alone) values ($1, $2, true)`, [clerk.user_id, kind]),
    ).rejects.toThrow('service_asked_by_staff')
  })

  test('the wrong person sees, corrects and withdraws nothing', async () => {
    const request = await asked(await kindWith())
    for (const by of [colleague, teacher, student, far]) {
      expect((await by('GET', `/services/request/${request}`)).status).toBe(404)
      expect((await by('GET', `/services/${request}`)).status).toBe(404)
      expect((await by('GET', `/services/steps/${request}`)).status).toBe(404)
      expect(await listed(by)).not.toContain(request)
    }
    for (const by of [colleague, student]) {
      expect((await by('PUT', `/services/request/${request}`, { answers: {} })).status).toBe(404)
      expect((await by('DELETE', `/services/request/${request}`)).status).not.toBe(200)
      expect((await to('done', request, by, { note: 'For me' })).status).not.toBe(200)
    }
    expect(await listed(clerk)).toContain(request)
    ok(await clerk('PUT', `/services/request/${request}`, { answers: {}, why: 'Soon' }))
    ok(await clerk('DELETE', `/services/request/${request}`))
    expect((await show(request)).status).toBe('cancelled')
    expect((await uni.nobody('POST', '/services', {})).status).toBe(401)
  })
})

describe('working on it', () => {
  test('the office of the faculty where somebody works has it, by the account or by the record of who teaches', async () => {
    const kind = await kindWith()
    for (const by of [clerk, teacher]) {
      const request = await asked(kind, {}, by)
      const holders = (await q('select id from service_holders($1)', [request])).map(({ id }) => id)
      expect([holders.includes(near.user_id), holders.includes(far.user_id)]).toEqual([true, false])
      expect(await listed(near, { waiting: true })).toContain(request)
      expect(await listed(far, { waiting: true })).not.toContain(request)
      expect(reasons(await to('in review', request, everywhere))).toEqual(['service_not_your_turn'])
      ok(await to('in review', request, near, { note: 'The record was looked at' }))
      const [moved] = await told(by, 'services.notice_moved')
      expect(moved).toMatchObject({ link: `/services/${request}`, data: { office: 'Unit' } })
      ok(await to('done', request, everywhere, { note: 'It lies ready' }))
      const end = await show(request, by)
      expect(end).toMatchObject({ status: 'done', answer: 'It lies ready' })
      // The note of the first office is for offices.
      expect(end.steps.map((one: { note: string | null }) => one.note)).toEqual([null, null])
      expect((await told(by, 'kit.notice_request'))[0]).toMatchObject({ link: `/services/${request}` })
    }
  })

  test('who asked and holds an office does not decide on the own request, and tells it from those of others', async () => {
    await q(`insert into role_assignments (user_id, role_id) values ($1, $2)`, [
      clerk.user_id,
      office.competent_employee,
    ])
    const both = await uni.signIn(clerk.user_id)
    const kind = await kindWith()
    const request = await asked(kind, {}, both)
    const other = await asked(kind, {}, colleague)
    expect((await show(request, both)).turn).toBe(false)
    const own = await to('in review', request, both)
    expect([own.status, reasons(own)]).toEqual([403, expect.arrayContaining(['step_own'])])
    const mine = await listed(both, { mine: true })
    expect([mine.includes(request), mine.includes(other)]).toEqual([true, false])
    const others = await listed(both, { mine: false })
    expect([others.includes(request), others.includes(other)]).toEqual([false, true])
    ok(await to('in review', other, both))
    await q(`delete from role_assignments where user_id = $1 and role_id = $2`, [
      clerk.user_id,
      office.competent_employee,
    ])
  })

  test('nothing is done for who has left, or may sign in no more', async () => {
    const kind = await kindWith()
    const request = await asked(kind, {}, colleague)
    await q('update users set blocked_at = now() where id = $1', [colleague.user_id])
    try {
      expect(reasons(await to('in review', request, near))).toEqual(['service_left'])
      expect(reasons(await ask(kind, { staff_id: colleague.user_id }, manager))).toEqual(['service_left'])
      ok(await to('Rejected', request, near, { reason: 'No longer here' }))
    } finally {
      await q('update users set blocked_at = null where id = $1', [colleague.user_id])
    }
  })

  test('its office is reminded, and later who manages services, with the name of who asked', async () => {
    const request = await asked(await kindWith())
    await q(
      `with g as (update service_steps set due_on = university_today() - 9 where service_id = $1 and position = 1 returning due_on)
       update services set due_on = (select min(due_on) from g) where id = $1`,
      [request],
    )
    await serviceClock.run(system(), {}, quiet())
    for (const [by, key] of [
      [near, 'services.notice_overdue'],
      [manager, 'services.notice_late'],
    ] as const)
      expect((await told(by, key))[0]?.data).toMatchObject({ name: 'Nadia Clerk', days: 9 })
    expect(await told(far, 'services.notice_overdue')).toEqual([])
    expect(await listed(manager, { waiting: true })).toContain(request)
  })
})

describe('paying', () => {
  const payerOf = async (user: number) => (await q('select id from payers where user_id = $1', [user]))[0].id
  const pay = async (invoice: number, payer: number, amount = 8000) => {
    const [made] = await q(
      `insert into transactions (payer_id, way, currency, amount, status, invoice_id) values ($1, 'bank', 'EGP', $2, 'pending', $3) returning id`,
      [payer, amount, invoice],
    )
    const ctx = system()
    await ctx.write((tx) => bookTransactions(ctx, tx, [made.id]))
    await requestFeesJob.run(system(), {}, quiet())
  }

  test('before work begins, as a payer of the staff: an invoice, a notice that leads to the own account, and back into the own wallet', async () => {
    const kind = await kindWith({ price_local: 8000, price_usd: 800, prepaid: true })
    const request = await asked(kind)
    const { status, fee } = await show(request, clerk)
    expect([status, fee]).toEqual(['fee_due', expect.objectContaining({ amount: 8000, currency: 'EGP', paid: false })])
    const payer = await payerOf(clerk.user_id)
    const [invoice] = await q('select payer_id, type, faculty_id, program_id from invoices where id = $1', [
      fee.invoice_id,
    ])
    expect(invoice).toEqual({ payer_id: payer, type: 'services', faculty_id: w.faculty, program_id: null })
    expect((await told(clerk, 'kit.notice_fee'))[0]).toMatchObject({ link: '/my_money', data: { number: fee.number } })
    expect(JSON.stringify(ok(await clerk('GET', `/ledger/payer-statements/staff/${clerk.user_id}`)))).toContain(
      fee.number,
    )
    await pay(fee.invoice_id, payer)
    expect((await show(request)).status).toBe('New')
    ok(await clerk('DELETE', `/services/request/${request}`))
    const [balance] = await q(
      `select wallet::int as wallet from payer_balances where payer_id = $1 and currency = 'EGP'`,
      [payer],
    )
    expect(balance.wallet).toBe(8000)
  })

  test('later: it is not done unpaid; who manages does without it', async () => {
    const kind = await kindWith({
      price_local: 8000,
      price_usd: 800,
      offices: [{ name: 'Desk', name_local: 'شباك', role_id: office.competent_employee, days: 2, note_shown: true }],
    })
    const request = await asked(kind, {}, colleague)
    expect(reasons(await to('done', request, near, { note: 'Done' }))).toEqual(['service_unpaid'])
    await pay((await show(request)).fee.invoice_id, await payerOf(colleague.user_id))
    ok(await to('done', request, near, { note: 'Done' }))
    const before = await kindWith({ price_local: 8000, price_usd: 800, prepaid: true })
    const waived = await asked(before, {}, colleague)
    ok(await to('New', waived, manager, { reason: 'A fault of the office' }))
    expect(await show(waived)).toMatchObject({ status: 'New', fee: null })
  })

  test('what is owed as a student holds no member of the staff', async () => {
    expect(reasons(await ask(await kindWith({ stopped_by_debt: true })))).toEqual([])
  })
})

test('of what ended long ago the answers go, as those of students', async () => {
  const field = { name: 'Reason', name_local: 'السبب', type: 'text', required: true }
  const kind = await kindWith({ own_fields: [field] })
  const [{ id: key }] = await q('select id from service_kind_fields where kind_id = $1', [kind])
  const request = await asked(kind, { answers: { [`f${key}`]: 'Private' } })
  ok(await to('Rejected', request, near, { reason: 'Not now' }))
  await q('alter table services disable trigger user')
  await q(`update services set updated_at = now() - interval '500 days' where id = $1`, [request])
  await q('alter table services enable trigger user')
  await q(`insert into retention_lengths (kind, days) values ('services', 400)`)
  // While something is kept for a dispute, nothing goes.
  await q(`insert into legal_holds (user_id, reason) values ($1, 'A dispute of 2026')`, [clerk.user_id])
  expect(((await retention.run(system(), {}, quiet())) as Record<string, number>).services ?? 0).toBe(0)
  await q('update legal_holds set ended_at = now() where user_id = $1', [clerk.user_id])
  const { services } = (await retention.run(system(), {}, quiet())) as Record<string, number>
  expect(services).toBe(1)
  expect((await show(request)).answers).toEqual({})
})
