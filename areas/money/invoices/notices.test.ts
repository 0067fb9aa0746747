import { afterAll, beforeAll, expect, it } from 'vitest'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { dailyJob } from './clock.server.ts'
import { invoicesServer } from './invoices.server.ts'
import { holdInvoice, reverseInvoice } from './issue.server.ts'
import { moneyWorld, priceWorld } from './testing.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let finance: Caller
beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    attendanceServer,
    registrationServer,
    feesServer,
    invoicesServer,
  ])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  await priceWorld(u.database.db, w.term)
  finance = await u.as('finance_officer', ['faculty', w.faculty])
}, 180_000)
afterAll(() => u?.close())

type Student = Awaited<ReturnType<RegistrationWorld['student']>>
const student = async () => {
  const one = await w.student()
  await w.query('update students set nationality_id = 64 where id = $1', [one.id])
  return one
}
const told = async (one: Student) =>
  (
    await w.query<{ key: string; data: Record<string, unknown>; link: string }>(
      `select key, data, link from notifications where user_id = $1 and key like 'invoices.%' order by id`,
      [one.as.user_id],
    )
  ).map(({ key, ...rest }) => ({ key: key.replace('invoices.notice_', ''), ...rest }))
const keys = async (one: Student) => (await told(one)).map(({ key }) => key)
const day = (n: number) => addDays(dayOf(), n)
const issue = async (one: Student, amount = 10_000) =>
  ok(
    await finance('POST', `/payments/create_payment/${one.id}`, {
      currency: 'EGP',
      lines: [{ account: 'services', name: 'Card', name_local: 'بطاقة', amount }],
      installments: [{ amount, due_date: day(10) }],
    }),
  )
const system = () => asSystem(u.services, 'test')
const daily = () =>
  dailyJob.run(
    system(),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )

it('its student is told of an invoice, of each note and of the reversal, with sum and reason, and nobody else is', async () => {
  const [one, other] = [await student(), await student()]
  await w.query(`update users set email = 'told@u.test' where id = $1`, [one.as.user_id])
  const { id, number } = await issue(one)
  const note = async (amount: number, reason: string) => {
    const { version, lines } = ok(await finance('GET', `/payments/${id}`))
    return ok(
      await finance('POST', `/payments/edit-invoice/${id}`, { version, lines: [{ id: lines[0].id, amount }], reason }),
    )
  }
  const more = (await note(12_000, 'Two cards')).note
  const less = (await note(5000, 'Half price')).note
  ok(await finance('POST', `/payments/reverse-invoice/${id}`, { reason: 'Issued twice' }))
  const link = `/payments/${id}`
  expect(await told(one)).toEqual([
    { key: 'invoice', link, data: { number, amount: '100.00 EGP', day: day(10) } },
    {
      key: 'debit',
      link,
      data: { number: more, invoice: number, amount: '20.00 EGP', reason: 'Two cards' },
    },
    {
      key: 'credit',
      link,
      data: { number: less, invoice: number, amount: '70.00 EGP', reason: 'Half price' },
    },
    { key: 'reversed', link, data: { number, amount: '0.00 EGP', reason: 'Issued twice' } },
  ])
  expect(await told(other)).toEqual([])
  // By mail too, unless the student chose otherwise.
  const mails = await w.query('select key from notice_mails where user_id = $1 order by id', [one.as.user_id])
  expect(mails.map((row: any) => row.key)).toEqual([
    'invoices.notice_invoice',
    'invoices.notice_debit',
    'invoices.notice_credit',
    'invoices.notice_reversed',
  ])
})

it('of a hold and a fine once, however often the morning’s job runs, and that the hold is lifted', async () => {
  const one = await student()
  ok(await finance('POST', `/payments/apply_next_invoice/${one.id}`, { term_id: w.term }))
  const [{ id }] = (await w.query(
    'select i.id from invoices i join payers p on p.id = i.payer_id where p.student_id = $1',
    [one.id],
  )) as [{ id: number }]
  await w.query('update installments set due_date = university_today() - 20 where invoice_id = $1', [id])
  await daily()
  await daily()
  expect((await keys(one)).toSorted()).toEqual(['fine', 'hold', 'invoice'])
  const [balance] = await w.query<{ charged: number }>(
    'select charged::float8 as charged from invoice_balances where invoice_id = $1',
    [id],
  )
  const ctx = system()
  const transaction = await m.transaction(one.id, balance!.charged)
  await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
  await daily()
  expect((await keys(one)).toSorted()).toEqual(['fine', 'hold', 'hold_lifted', 'invoice'])
})

it('what was not done is not told: a job that is killed leaves neither the reversal nor the notice, and the next run tells it once', async () => {
  const one = await student()
  const { id } = await issue(one)
  const reverse = (killed: boolean) => {
    const ctx = system()
    return ctx.write(async (tx) => {
      await reverseInvoice(ctx, tx, await holdInvoice(tx, id), 'Test')
      if (killed) throw new Error('killed')
    })
  }
  await expect(reverse(true)).rejects.toThrow('killed')
  expect(await keys(one)).toEqual(['invoice'])
  await reverse(false)
  expect(await keys(one)).toEqual(['invoice', 'reversed'])
})

it('a student without an account is told nothing, and nothing fails', async () => {
  const one = await student()
  await w.query('update students set user_id = null where id = $1', [one.id])
  await issue(one)
  expect(await keys(one)).toEqual([])
})
