import { afterAll, beforeAll, expect, it } from 'vitest'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { proofOf } from '#areas/money/ledger/testing.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { invoicesServer } from './invoices.server.ts'
import { comparePricesJob } from './prices.server.ts'
import { moneyWorld, priceWorld } from './testing.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let p: Awaited<ReturnType<typeof priceWorld>>
let finance: Caller
let elsewhere: Caller
let year_id: number
beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    feesServer,
    invoicesServer,
    registrationServer,
    attendanceServer,
  ])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  p = await priceWorld(u.database.db, w.term)
  finance = await u.as('finance_officer')
  elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
  ;[{ year_id }] = (await w.query('select year_id from terms where id = $1', [w.term])) as [{ year_id: number }]
}, 180_000)
afterAll(() => u?.close())

const issued = async () => {
  const one = await w.student()
  await w.query('update students set nationality_id = 64 where id = $1', [one.id])
  const { invoice } = ok(await finance('POST', `/payments/apply_next_invoice/${one.id}`, { term_id: w.term }))
  return { one, id: invoice.id as number }
}
const compare = () =>
  comparePricesJob.run(
    asSystem(u.services, 'test'),
    { year_id },
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const outdated = async (who = finance): Promise<any[]> =>
  ok(await who('POST', '/outdated-decisions', { kind: 'invoice_price' }))
const decide = (ids: number[], how: 'renew' | 'keep', who = finance) =>
  who('POST', `/outdated-decisions/${how}`, {
    kind: 'invoice_price',
    ids,
    ...(how === 'keep' && { reason: 'Promised' }),
  })
const charged = async (id: number) => ok(await finance('GET', `/payments/${id}`)).charged

it('a changed price makes its invoices outdated and changes none of them; who reaches them decides', async () => {
  const [a, b] = [await issued(), await issued()]
  await p.version({ tuition: p.tuition + 50_000 })
  expect(await compare()).toEqual({ outdated: 2 })
  // Run again, as after a kill, it finds the same and tells nothing twice.
  expect(await compare()).toEqual({ outdated: 2 })
  expect([await charged(a.id), await charged(b.id)]).toEqual([p.tuition, p.tuition])
  const rows = await outdated()
  expect(rows.map((row) => [row.id, row.becomes, row.abilities])).toEqual(
    expect.arrayContaining([
      [a.id, 'waits', ['renew', 'keep']],
      [b.id, 'waits', ['renew', 'keep']],
    ]),
  )
  expect(rows[0].decision.name).toMatch(/10000\.00 → 10500\.00 EGP/)
  expect(await outdated(elsewhere)).toEqual([])
  expect((await decide([a.id], 'renew', elsewhere)).status).toBe(404)
  // Kept with a reason, it stays; the other follows by a note that its student is told of.
  ok(await decide([b.id], 'keep'))
  ok(await decide([a.id], 'renew'))
  expect([await charged(a.id), await charged(b.id)]).toEqual([p.tuition + 50_000, p.tuition])
  expect(await outdated()).toEqual([])
  const { notes } = ok(await finance('GET', `/payments/${a.id}`))
  expect(notes.map((note: any) => [note.kind, note.amount, note.reason])).toEqual([['debit', 50_000, 'Prices changed']])
  const told = await w.query(`select key from notifications where user_id = $1 and key = 'invoices.notice_debit'`, [
    a.one.as.user_id,
  ])
  expect(told).toHaveLength(1)
  expect(reasons(await decide([a.id], 'renew'))).toEqual(['not_found'])
})

it('a price that falls gives back what was paid beyond it, and the same price again is nothing', async () => {
  await p.version()
  const { one, id } = await issued()
  const transaction = await m.transaction(one.id, p.tuition)
  const ctx = asSystem(u.services, 'test')
  await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
  await p.version()
  await compare()
  expect((await outdated()).map((row) => row.id)).not.toContain(id)
  await p.version({ tuition: p.tuition - 30_000 })
  await compare()
  ok(await decide([id], 'renew'))
  expect([await charged(id), await m.wallet(one.id)]).toEqual([p.tuition - 30_000, 30_000])
  // Whoever has no price any more is looked at by a person: the invoice stays.
  await p.version({ tuition: p.tuition + 1 })
  await compare()
  await w.query('update students set nationality_id = null where id = $1', [one.id])
  expect(reasons(await decide([id], 'renew'))).toEqual(['invoice_not_priced'])
  expect(await charged(id)).toBe(p.tuition - 30_000)
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
})

it('what another price comes to is shown by faculty before it is saved, as far as the right reaches, and nothing is written', async () => {
  const at = `/years/${year_id}/payments`
  const [row] = ok(await finance('GET', `${at}/tuition`)).prices
  const versions = ok(await finance('GET', `${at}/versions`)).length
  const priced = (
    await w.query<{ n: number }>(
      `select count(*)::int as n from students where status = 'studying' and removed_at is null and nationality_id = 64`,
    )
  )[0]!.n
  const body = {
    prices: [{ item_id: row.item.id, id: row.id, currency: 'EGP', per: 'year', amount: row.amount + 700 }],
  }
  const { rows, students, without_after } = ok(await finance('POST', `${at}/simulate`, body))
  expect(rows).toMatchObject([{ faculty: { id: w.faculty }, currency: 'EGP', students: priced, changed: priced }])
  expect(rows[0].after - rows[0].before).toBe(700 * priced)
  expect(students).toBe(priced + without_after)
  expect(ok(await elsewhere('POST', `${at}/simulate`, body)).rows).toEqual([])
  expect(ok(await finance('GET', `${at}/versions`)).length).toBe(versions)
  expect(reasons(await finance('POST', `${at}/simulate`, { prices: [{ ...body.prices[0], per: 'hour' }] }))).toEqual([
    'fee_counted_by@prices.0.per',
  ])
  expect((await (await w.student()).as('POST', `${at}/simulate`, body)).status).toBe(403)
})

it('saving another price sends the job that compares, and saving days does not', async () => {
  const sent = async () =>
    (await w.query<{ n: number }>(`select count(*)::int as n from jobs where name = 'compare-prices'`))[0]!.n
  const at = `/years/${year_id}/payments`
  const prices = ok(await finance('GET', `${at}/hours`)).prices
  const before = await sent()
  ok(await finance('PUT', `${at}/payment-settings/${prices[0].id}`, { amount: 51_000 }))
  expect(await sent()).toBe(before + 1)
  ok(await finance('POST', `${at}/due-dates/exams`, { due_dates: [] }))
  expect(await sent()).toBe(before + 1)
})
