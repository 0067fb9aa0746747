import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { requestFeesJob } from '#areas/money/invoices/requests/fee.server.ts'
import { moneyWorld, priceWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { cancelTransactions } from '#areas/money/transactions/cancel.server.ts'
import { proofOf } from '#areas/money/ledger/testing.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, type Fixture, type TestOffering } from '../testing.server.ts'

const PRICE = 7550
let uni: TestUniversity
let f: Fixture
let m: ReturnType<typeof moneyWorld>
let p: Awaited<ReturnType<typeof priceWorld>>
let head: Caller
let team: Caller
let dean: Caller
let instructor: Caller
let student: Caller
const query = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer, feesServer, invoicesServer, gradingServer])
  f = await seed(uni.database)
  m = moneyWorld(uni.database.db)
  p = await priceWorld(uni.database.db, f.fall)
  await query(
    `insert into fee_items (code, name, name_local, type, is_automatic) values ('RECHECK', 'Grade recheck', 'تظلم', 'exams', false) on conflict do nothing`,
  )
  await query('update students set nationality_id = 64')
  await query(
    `insert into stage_codes (code, name, name_local) values ('recheck', 'Recheck', 'مراجعة') on conflict do nothing`,
  )
  await query(
    `insert into current_terms (key, term_id) values ('current_term', $1) on conflict (key) do update set term_id = excluded.term_id`,
    [f.fall],
  )
  await query(
    `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
     select $1, id, now() - interval '1 day', now() + interval '1 day' from stage_codes where code = 'recheck'`,
    [f.fall],
  )
  head = await uni.as('control_head')
  team = await uni.as('control_team', ['faculty', f.faculty])
  dean = await uni.as('dean', ['faculty', f.faculty])
  instructor = await uni.as('instructor', undefined, { type: 1 })
  await query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
  const [row] = await query('select user_id from students where id = $1', [f.students[0]])
  await query(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'student'`, [
    row.user_id,
  ])
  student = await uni.signIn(row.user_id)
}, 180_000)
afterAll(() => uni?.close())

let o: TestOffering
let n = 0
/** A course of its own, with published marks. */
const offered = async () => {
  await query('delete from grade_rechecks; delete from registrations; update offerings set removed_at = now()')
  o = await offerCourse(uni.database, f, { code: `f${++n}` })
  ok(
    await instructor('PUT', '/offerings/offering-students-grades/update', {
      offering_id: o.id,
      cells: o.registrations.flatMap((_, i) => cells(o, i, ['15', '15', '45'])),
    }),
  )
  for (const word of ['submit', 'review', 'approve', 'publish'])
    ok(await head('PUT', `/control/offerings/${word}-control-status/${o.id}`, {}))
}
beforeEach(offered)
const ask = (mark = 2, who: Caller = student) =>
  who('PUT', '/grades-recheck', {
    registration_id: o.registrations[0],
    offering_mark_id: o.scheme[mark],
    why: 'Question 4',
  })
const show = async (id: number, who: Caller = student) => ok(await who('GET', `/grades-recheck/${id}`))
const cost = async () => ok(await student('GET', '/grades-recheck/marks')).cost
const system = () => asSystem(uni.services, 'test')
const pay = async (amount: number, invoice: number): Promise<number> => {
  const transaction = await m.transaction(f.students[0]!, amount, { invoice })
  const ctx = system()
  await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
  return transaction
}
const tell = () =>
  requestFeesJob.run(
    system(),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const accept = async (id: number) => {
  ok(await team('POST', `/grades-recheck/review/${id}`, {}))
  ok(await team('PUT', `/grades-recheck/${id}`, { mark: '50', finding: 'Four marks more' }))
  return dean('POST', `/grades-recheck/accept/${id}`, {})
}
const back = (to: string) =>
  query(
    `insert into settings (key, value, grouping) values ('recheck_fee_back', to_jsonb($1::text), 'payment')
     on conflict (key) do update set value = excluded.value`,
    [to],
  )

test('costs nothing while the year has no price for it', async () => {
  const { id, status } = ok(await ask())
  expect([status, (await show(id)).fee]).toEqual(['requested', null])
  expect(reasons(await head('POST', `/grades-recheck/charge_fee/${id}`, { reason: 'It should' }))).toEqual([
    'fee_nothing',
  ])
  expect(await cost()).toBeNull()
  await p.version({ requests: { RECHECK: PRICE } })
})

test('what it costs, and whether it is given back, is told before it is asked', async () => {
  await back('false')
  expect(await cost()).toEqual({ amount: PRICE, currency: 'EGP', back: false })
  await back('true')
  expect(await cost()).toEqual({ amount: PRICE, currency: 'EGP', back: true })
  expect(ok(await instructor('GET', '/grades-recheck/marks')).cost).toBeNull()
  await query(`delete from settings where key = 'recheck_fee_back'`)
  expect(await query('select from request_fees')).toEqual([])
})

test('asking issues the invoice, its student is told, and nobody looks before it is paid', async () => {
  const { id, status } = ok(await ask())
  expect(status).toBe('fee_due')
  const { fee, abilities } = await show(id)
  expect([fee, abilities]).toEqual([
    { invoice_id: fee.invoice_id, number: fee.number, amount: PRICE, currency: 'EGP', paid: false },
    ['cancel'],
  ])
  expect(
    await query(`select data ->> 'sum' as sum, link from notifications where key = 'kit.notice_fee' and user_id = $1`, [
      student.user_id,
    ]),
  ).toEqual([{ sum: '75.50 EGP', link: `/payments/${fee.invoice_id}` }])
  expect(reasons(await team('POST', `/grades-recheck/review/${id}`, {}))).toEqual(['step_state'])
  // Nobody lets it through by a step without a reason, nor without the right.
  expect((await student('POST', `/grades-recheck/waive_fee/${id}`, { reason: 'Mine' })).status).toBe(403)
  expect((await dean('POST', `/grades-recheck/waive_fee/${id}`, {})).status).toBe(422)
  const payment = await pay(PRICE, fee.invoice_id)
  await tell()
  expect(await show(id)).toMatchObject({ status: 'requested', fee: { paid: true } })
  // A payment that is cancelled takes it back, and another one lets it go on.
  const ctx = system()
  await ctx.write((tx) => cancelTransactions(ctx, tx, [payment], 'Bounced'))
  await tell()
  expect(await show(id)).toMatchObject({ status: 'fee_due', fee: { paid: false } })
  await pay(PRICE, fee.invoice_id)
  await tell()
  ok(await accept(id))
  // The mark changed: the fee is given back, into the wallet.
  expect([(await show(id)).fee, await m.wallet(f.students[0]!)]).toEqual([null, PRICE])
  const [invoice] = await query('select reversed_at is not null as reversed from invoices where id = $1', [
    fee.invoice_id,
  ])
  expect(invoice).toEqual({ reversed: true })
})

test('is kept where the university says so, or the mark stays; taken back, done without or rejected unpaid it goes', async () => {
  await back('false')
  const before = await m.wallet(f.students[0]!)
  const kept = ok(await ask()).id
  await pay(PRICE, (await show(kept)).fee.invoice_id)
  await tell()
  ok(await accept(kept))
  expect([(await show(kept)).fee?.paid, await m.wallet(f.students[0]!)]).toEqual([true, before])
  await back('true')
  const refused = ok(await ask(1)).id
  await pay(PRICE, (await show(refused)).fee.invoice_id)
  await tell()
  ok(await dean('POST', `/grades-recheck/reject/${refused}`, { reason: 'Counted right' }))
  expect((await show(refused)).fee).toMatchObject({ paid: true })
  for (const [who, path] of [
    [student, 'cancel'],
    [dean, 'waive_fee'],
    [dean, 'reject'],
  ] as const) {
    await offered()
    const { id } = ok(await ask())
    const { invoice_id } = (await show(id)).fee
    ok(await who('POST', `/grades-recheck/${path}/${id}`, path === 'cancel' ? {} : { reason: 'Agreed' }))
    const [invoice] = await query('select reversed_at is not null as reversed from invoices where id = $1', [
      invoice_id,
    ])
    expect([path, invoice.reversed, (await show(id)).fee]).toEqual([path, true, null])
  }
})

test('a correction that staff asks for costs nothing, and the books are whole', async () => {
  expect(ok(await ask(2, instructor)).status).toBe('requested')
  expect(await proofOf(uni.services)).toMatchObject({ count: 0, findings: [] })
})
