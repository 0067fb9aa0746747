import { afterAll, beforeAll, expect, it } from 'vitest'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { cancelTransactions } from '#areas/money/transactions/cancel.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { area, request } from '#kit/contract/index.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { invoicesServer } from '../invoices.server.ts'
import { moneyWorld, priceWorld } from '../testing.server.ts'
import { requestFeesJob } from './fee.server.ts'
import { priceForPayer } from './payer.server.ts'

/** A request that costs something, with the rights of excuses. */
const keep = request('excuse', {
  path: '/keeps',
  one: ['Locker', 'خزانة'],
  many: ['Lockers', 'خزائن'],
  adding: ['Ask for a locker', 'طلب خزانة'],
  fee: 'LOCKER',
})
const PRICE = 30_000
let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let p: Awaited<ReturnType<typeof priceWorld>>
let registrar: Caller
beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    feesServer,
    invoicesServer,
    studentsServer,
    defineAreaServer({ area: area({ name: 'keeps', label: ['Keeps', 'خزائن'], resources: [keep] }), handlers: [] }),
  ])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  p = await priceWorld(u.database.db, w.term)
  await w.query(`create table keeps (id integer generated always as identity primary key, student_id integer not null references students,
    why text not null, status text not null default 'requested', version integer not null default 1, removed_at timestamptz,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now());
    grant all on keeps to public; select audit_table('keeps')`)
  await w.query(
    `insert into fee_items (code, name, name_local, type, is_automatic) values ('LOCKER', 'Locker', 'خزانة', 'services', false)`,
  )
  registrar = await u.as('registrar')
}, 180_000)
afterAll(() => u?.close())

const student = async () => {
  const one = await w.student()
  await w.query('update students set nationality_id = 64 where id = $1', [one.id])
  return one
}
type Student = Awaited<ReturnType<typeof student>>
const ask = async (one: Student) => ok(await one.as('PUT', '/keeps', { student_id: one.id, why: 'For my books.' }))
const stateOf = async (id: number) =>
  (await w.query<{ status: string }>('select status from keeps where id = $1', [id]))[0]!.status
const feesOf = (id: number) =>
  w.query<{ invoice_id: number; back: boolean; reversed: boolean }>(
    `select f.invoice_id, f.taken_back_at is not null as back, i.reversed_at is not null as reversed
     from request_fees f join invoices i on i.id = f.invoice_id where f.workflow = 'excuse' and f.record_id = $1 order by 1`,
    [id],
  )
const system = () => asSystem(u.services, 'test')
const pay = async (one: Student, amount: number, invoice: number): Promise<number> => {
  const transaction = await m.transaction(one.id, amount, { invoice })
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
const sent = async () =>
  (await w.query<{ n: number }>(`select count(*)::int as n from jobs where name = 'request-fees'`))[0]!.n

it('costs nothing while the university has no price for it', async () => {
  const one = await student()
  const { id, status } = await ask(one)
  expect([status, await feesOf(id)]).toEqual(['requested', []])
  expect(reasons(await registrar('POST', `/keeps/charge_fee/${id}`, { reason: 'It should.' }))).toEqual(['fee_nothing'])
  await p.version({ requests: { LOCKER: PRICE } })
})

it('is an invoice of its own, at the price of the year, of which the student is told where to pay it', async () => {
  const one = await student()
  const { id, status } = await ask(one)
  expect(status).toBe('fee_due')
  const { invoice_id } = (await feesOf(id))[0]!
  expect(await m.stands(invoice_id)).toEqual([0, PRICE])
  const told = await w.query('select data, link from notifications where key = $1 and user_id = $2', [
    'kit.notice_fee',
    one.as.user_id,
  ])
  expect(told).toMatchObject([{ data: { sum: '300.00 EGP', what: 'Locker' }, link: `/payments/${invoice_id}` }])
  expect((await registrar('POST', '/keeps', { filters: { waiting: true, student_id: one.id } })).body.data).toEqual([])
  expect(reasons(await registrar('POST', `/keeps/accept/${id}`, {}))).toEqual(['step_state'])
})

it('lets the request go on when it is paid whole, and waits again when the payment is cancelled', async () => {
  const one = await student()
  const { id } = await ask(one)
  const { invoice_id } = (await feesOf(id))[0]!
  const before = await sent()
  await pay(one, PRICE - 1, invoice_id)
  await tell()
  expect([await stateOf(id), await sent()]).toEqual(['fee_due', before])
  const rest = await pay(one, 1, invoice_id)
  expect(await sent()).toBe(before + 1)
  expect(await tell()).toEqual({ told: 1 })
  expect(await stateOf(id)).toBe('requested')
  expect(await tell()).toEqual({ told: 0 })

  const ctx = system()
  await ctx.write((tx) => cancelTransactions(ctx, tx, [rest], 'Bounced'))
  await tell()
  expect(await stateOf(id)).toBe('fee_due')
  await pay(one, 1, invoice_id)
  await tell()
  ok(await registrar('POST', `/keeps/accept/${id}`, {}))
  expect(await stateOf(id)).toBe('accepted')
})

it('is reversed when the request is taken back; what was paid goes into the wallet', async () => {
  const [one, other] = [await student(), await student()]
  const { id } = await ask(one)
  ok(await one.as('POST', `/keeps/cancel/${id}`, {}))
  expect(await feesOf(id)).toMatchObject([{ back: true, reversed: true }])
  const { id: paid } = await ask(other)
  const { invoice_id } = (await feesOf(paid))[0]!
  await pay(other, PRICE, invoice_id)
  await tell()
  ok(await other.as('POST', `/keeps/cancel/${paid}`, {}))
  expect([await m.wallet(other.id), (await m.stands(invoice_id))[1]]).toEqual([PRICE, 0])
})

it('is done without by who decides, and charged once at a time', async () => {
  const one = await student()
  const { id } = await ask(one)
  ok(await registrar('POST', `/keeps/waive_fee/${id}`, { reason: 'An orphan.' }))
  expect([await stateOf(id), await feesOf(id)]).toMatchObject(['requested', [{ back: true, reversed: true }]])
  ok(await registrar('POST', `/keeps/charge_fee/${id}`, { reason: 'By mistake.' }))
  const { invoice_id } = (await feesOf(id))[1]!
  await pay(one, PRICE, invoice_id)
  await tell()
  expect(await stateOf(id)).toBe('requested')
  expect(reasons(await registrar('POST', `/keeps/charge_fee/${id}`, { reason: 'Twice.' }))).toEqual([
    'fee_charged_already',
  ])
})

it('goes on when finance reverses what was charged', async () => {
  const { id } = await ask(await student())
  const { invoice_id } = (await feesOf(id))[0]!
  const finance = await u.as('finance_head')
  ok(await finance('POST', `/payments/reverse-invoice/${invoice_id}`, { reason: 'Not owed.' }))
  await tell()
  expect(await stateOf(id)).toBe('requested')
})

it('of one request that cannot go on keeps none of the others waiting, and is told again until it can', async () => {
  const [first, second] = [await student(), await student()]
  const [stuck, other] = [await ask(first), await ask(second)]
  for (const [one, { id }] of [
    [first, stuck],
    [second, other],
  ] as const)
    await pay(one, PRICE, (await feesOf(id))[0]!.invoice_id)
  await w.query(`
    create function stuck() returns trigger language plpgsql as $$ begin raise exception 'a mistake of the program'; end $$;
    create trigger stuck before update on keeps for each row when (old.id = ${stuck.id}) execute function stuck()`)
  // The job fails, so that it is seen; what could be told was told.
  await expect(tell()).rejects.toThrow('a mistake of the program')
  expect([await stateOf(stuck.id), await stateOf(other.id)]).toEqual(['fee_due', 'requested'])
  await w.query('drop trigger stuck on keeps')
  expect(await tell()).toEqual({ told: 1 })
  expect(await stateOf(stuck.id)).toBe('requested')
})

it('is told why it has no price, and then nothing is asked for', async () => {
  const one = await student()
  await w.query('update students set nationality_id = null where id = $1', [one.id])
  const before = await w.query('select count(*) from keeps')
  expect(reasons(await one.as('PUT', '/keeps', { student_id: one.id, why: 'For my books.' }))).toEqual([
    'fee_no_nationality',
  ])
  // Nor in a year for which nothing is settled, nor outside of any term.
  const other = await student()
  const asked = () => other.as('PUT', '/keeps', { student_id: other.id, why: 'For my books.' })
  await w.query(`
    with y as (insert into years (code, name, name_local, start_date, end_date)
        values ('Y9', 'Later', 'لاحق', university_today() + 400, university_today() + 700) returning id),
      t as (insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
        select id, 'T9', 'T9', 'T9', 'fall', university_today() + 410, university_today() + 500 from y returning id)
    update current_terms set term_id = t.id from t where key = 'current_term'`)
  // Who works here and guests are told the same.
  const ofPayer = () =>
    u.database.db
      .transaction()
      .execute((tx) => priceForPayer(tx, { payer_id: 1, faculty_id: null, nationality_group: null }, () => []))
  expect(reasons(await asked())).toEqual(['invoice_no_settings'])
  await expect(ofPayer()).rejects.toMatchObject({ status: 409, reasons: [{ code: 'invoice_no_settings' }] })
  await w.query(`delete from current_terms`)
  expect(reasons(await asked())).toEqual(['invoice_no_term'])
  await expect(ofPayer()).rejects.toMatchObject({ status: 409, reasons: [{ code: 'invoice_no_term' }] })
  expect(await w.query('select count(*) from keeps')).toEqual(before)
})
