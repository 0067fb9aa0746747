import { afterAll, beforeAll, expect, it } from 'vitest'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, type Caller, type TestUniversity } from '#tests/university.ts'
import { remind } from '../reminders/remind.server.ts'
import { collectingUniversity, stepWorld } from '../testing.server.ts'
import { judgePromises } from './promise.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let cashier: Caller
beforeAll(async () => {
  ;({ u, w } = await collectingUniversity())
  m = moneyWorld(u.database.db)
  await stepWorld(u.database.db)('after', 3)
  cashier = await u.as('cashier', ['faculty', w.faculty])
}, 180_000)
afterAll(() => u?.close())

const day = (n: number) => addDays(dayOf(), n)
const system = () => asSystem(u.services, 'test')
const pay = async (student: number, invoice: number, amount: number) => {
  const ctx = system()
  const id = await m.transaction(student, amount, { invoice })
  await ctx.write((tx) => bookTransactions(ctx, tx, [id]))
}
const note = (body: object) => cashier('PUT', '/promises', body)
const codes = (answer: { body: any }) => answer.body.errors.map((one: any) => one.code)
const state = async (id: number) =>
  (await w.query<{ state: string }>('select state from payment_promises where id = $1', [id]))[0]!.state
/** As if it had been for a day that is over. */
const over = async (id: number) => {
  await w.query('alter table payment_promises disable trigger keep_promise')
  await w.query('update payment_promises set promised_on = university_today() - 1 where id = $1', [id])
  await w.query('alter table payment_promises enable trigger keep_promise')
}
const reminded = async (invoice: number) =>
  (await w.query('select from reminders where invoice_id = $1', [invoice])).length

it('while a promise stands nobody is reminded; broken, the next level comes, and who noted it is told', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [[10_000, -5]])
  const made = ok(await note({ invoice_id: invoice, amount: 6000, promised_on: day(3), note: 'Called' }))
  expect([made.state, made.came, made.noted_by.id, made.abilities]).toEqual([
    'standing',
    0,
    cashier.user_id,
    ['withdraw'],
  ])
  await remind(system())
  expect(await reminded(invoice)).toBe(0)
  expect(await judgePromises(system())).toEqual({ kept: 0, broken: 0 })
  await over(made.id)
  // A payment that is on its way when the day is over: it is waited for.
  const asked = await m.transaction(one.id, 6000, { invoice, way: 'mobile' })
  await w.query(`update transactions set provider = 'fawry', expires_at = now() + interval '1 hour' where id = $1`, [
    asked,
  ])
  expect(await judgePromises(system())).toEqual({ kept: 0, broken: 0 })
  await w.query(`update transactions set status = 'failed' where id = $1`, [asked])
  expect(await judgePromises(system())).toEqual({ kept: 0, broken: 1 })
  expect(await state(made.id)).toBe('broken')
  const told = await w.query<{ key: string }>(`select key from notifications where user_id = $1`, [cashier.user_id])
  expect(told.map(({ key }) => key)).toEqual(['collecting.notice_promise_broken'])
  await remind(system())
  expect(await reminded(invoice)).toBe(1)
})

it('is kept by what comes after it was noted, in parts as well, of one invoice or of all', async () => {
  const one = await w.student()
  const [a, b] = [await m.invoice(one.id, [[10_000, -5]]), await m.invoice(one.id, [[8000, -5]])]
  await pay(one.id, a, 4000)
  const first = ok(await note({ invoice_id: a, amount: 5000, promised_on: day(3) }))
  const all = ok(await note({ student_id: one.id, currency: 'EGP', amount: 9000, promised_on: day(3) }))
  await remind(system())
  expect([await reminded(a), await reminded(b)]).toEqual([0, 0])
  await pay(one.id, a, 3000)
  expect(await judgePromises(system())).toEqual({ kept: 0, broken: 0 })
  const [row] = ok(await cashier('POST', '/promises', { filters: { invoice_id: [a] } }))
  expect([row.came, row.amount]).toEqual([3000, 5000])
  await pay(one.id, a, 2000)
  expect(await judgePromises(system())).toEqual({ kept: 1, broken: 0 })
  expect([await state(first.id), await state(all.id)]).toEqual(['kept', 'standing'])
  await pay(one.id, b, 4000)
  expect(await judgePromises(system())).toEqual({ kept: 1, broken: 0 })
})

it('is refused with every reason, twice, for oneself, out of reach, and by the database once it is over', async () => {
  const one = await w.student()
  const invoice = await m.invoice(one.id, [[10_000, -5]])
  const answer = await note({ invoice_id: invoice, amount: 10_001, promised_on: day(-2) })
  expect([answer.status, codes(answer)]).toEqual([422, ['promise_most', 'promise_day_over']])
  expect(codes(await note({ invoice_id: invoice, amount: 1000, promised_on: day(90) }))).toEqual(['promise_day_far'])
  expect(codes(await note({ amount: 1000, promised_on: day(2) }))).toEqual(['required', 'required'])
  const nobody = await note({ student_id: 999_999, currency: 'EGP', amount: 1000, promised_on: day(2) })
  expect([nobody.status, codes(nobody)]).toEqual([404, ['not_found']])
  const made = ok(await note({ invoice_id: invoice, amount: 1000, promised_on: day(2) }))
  expect(codes(await note({ invoice_id: invoice, amount: 1000, promised_on: day(2) }))).toEqual(['promise_standing'])
  const foreign = await w.student({ faculty: 'other' })
  expect(
    (await note({ invoice_id: await m.invoice(foreign.id, [[1000, 1]]), amount: 1000, promised_on: day(2) })).status,
  ).toBe(404)
  expect((await one.as('PUT', '/promises', { invoice_id: invoice, amount: 1000, promised_on: day(2) })).status).toBe(
    403,
  )
  // The student reads it, and another one does not.
  expect(ok(await one.as('POST', '/promises', {})).map((row: any) => row.id)).toEqual([made.id])
  expect(ok(await (await w.student()).as('POST', '/promises', {}))).toEqual([])
  const back = await cashier('POST', `/promises/withdraw/${made.id}`, { reason: 'Wrong student', version: 9 })
  expect(codes(back)).toEqual(['changed_meanwhile'])
  ok(await cashier('POST', `/promises/withdraw/${made.id}`, { reason: 'Wrong student' }))
  expect(codes(await cashier('POST', `/promises/withdraw/${made.id}`, { reason: 'Wrong student' }))).toEqual([
    'promise_over',
  ])
  await expect(w.query(`update payment_promises set state = 'kept' where id = $1`, [made.id])).rejects.toMatchObject({
    constraint: 'promise_kept_as_noted',
  })
  await expect(w.query(`delete from payment_promises where id = $1`, [made.id])).rejects.toMatchObject({
    constraint: 'promise_kept_as_noted',
  })
  // A cashier who studies here notes nothing of the own debt.
  await w.query('update students set user_id = $2 where id = $1', [one.id, cashier.user_id])
  expect(codes(await note({ invoice_id: invoice, amount: 1000, promised_on: day(2) }))).toEqual(['own_money'])
  await pay(one.id, invoice, 10_000)
  await w.query('update students set user_id = $2 where id = $1', [one.id, one.user_id])
  expect(codes(await note({ invoice_id: invoice, amount: 1, promised_on: day(2) }))).toEqual(['promise_nothing_open'])
})

it('ends with the invoice that it was for, and its history says who and why', async () => {
  const one = await w.student()
  const finance = await u.as('finance_officer', ['faculty', w.faculty])
  const invoice = await m.invoice(one.id, [[10_000, -5]])
  const made = ok(await note({ invoice_id: invoice, amount: 10_000, promised_on: day(2) }))
  ok(await finance('POST', `/payments/reverse-invoice/${invoice}`, { reason: 'Issued twice' }))
  const [row] = ok(await finance('POST', '/promises', { filters: { student_id: [one.id] } }))
  expect([row.id, row.state, row.ended_reason]).toEqual([made.id, 'withdrawn', 'Issued twice'])
  expect(codes(await note({ invoice_id: invoice, amount: 1, promised_on: day(2) }))).toEqual(['invoice_is_reversed'])
  const trail = await w.query<{ action: string; reason: string | null }>(
    `select action, reason from audit_log where table_name = 'payment_promises' and record_id = $1 order by id`,
    [made.id],
  )
  expect(trail).toEqual([
    { action: 'insert', reason: null },
    { action: 'update', reason: 'Issued twice' },
  ])
  const sheet = await finance('POST', '/promises/export', { filters: { student_id: [one.id] } })
  expect(sheet.status).toBe(200)
})
