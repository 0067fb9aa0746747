import { afterAll, beforeAll, expect, it } from 'vitest'
import { banksServer } from '#areas/money/banks/banks.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { transactionsServer } from '#areas/money/transactions/transactions.server.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import { provesItself } from './testing.server.ts'

const AREAS = [
  catalogueServer,
  banksServer,
  feesServer,
  ledgerServer,
  invoicesServer,
  transactionsServer,
  reportsServer,
]
let u: TestUniversity
let finance: Caller
beforeAll(async () => {
  u = await testUniversity(AREAS, { database: await demoDatabase() })
  finance = await u.as('finance_officer')
}, 720_000)
afterAll(() => u?.close())

it('programs, levels and the ledger say the same; every chart has something to show', async () => {
  const post = async (path: string, body: object = {}) => ok(await finance('POST', path, body))
  const [programs, levels] = [await post('/reports/financial'), await post('/reports/levels-financial')]
  provesItself(programs, false)
  provesItself(levels, false)
  const { rows } = await u.database.pool.query(
    // Sponsors, staff and guests are in no program and of no level: their accounts tell what they owe.
    `select b.currency, sum(b.charged) filter (where p.student_id is not null)::float8 as charged,
       sum(b.settled) filter (where p.student_id is not null)::float8 as settled,
       sum(b.charged)::float8 as all_charged, sum(b.settled)::float8 as all_settled
     from invoice_balances b join invoices i on i.id = b.invoice_id join payers p on p.id = i.payer_id group by 1`,
  )
  const of = (currency: string) => rows.find((row) => row.currency === currency)
  for (const { total } of [programs, levels]) {
    expect([total.eg_total, total.eg_paid]).toEqual([of('EGP').charged, of('EGP').settled])
    expect([total.usd_total, total.usd_paid]).toEqual([of('USD')?.charged ?? 0, of('USD')?.settled ?? 0])
  }
  const {
    rows: [wallet],
  } = await u.database.pool.query(
    `select coalesce(-sum(q.amount), 0)::float8 as amount from ledger_postings q join ledger_accounts a on a.id = q.account_id
     join payers p on p.id = q.payer_id and p.student_id is not null where a.role = 'wallet' and q.currency = 'EGP'`,
  )
  expect(programs.total.E_wallet).toBe(wallet.amount)
  const board = await post('/dashboard/finance', { currency: 'EGP' })
  expect(board.sums.charged).toBeGreaterThan(0)
  expect(board.sums.settled + board.sums.not_due + board.sums.overdue).toBe(board.sums.charged)
  expect(board.sums.not_due).toBeGreaterThan(0)
  const whole = await post('/dashboard/finance', { currency: 'EGP', year_id: null })
  expect([whole.sums.charged, whole.sums.settled]).toEqual([of('EGP').all_charged, of('EGP').all_settled])
  expect(whole.sums.overdue).toBeGreaterThan(0)
  expect(board.days.length).toBeGreaterThan(5)
  expect(board.ways.length).toBeGreaterThan(1)
  expect(board.faculties.length).toBeGreaterThan(1)
  expect(board.before.charged).toBeGreaterThan(0)
  // Something is late of this year too, of several ages.
  expect(board.sums.overdue).toBeGreaterThan(0)
  expect(board.ages.filter((one: any) => one.age !== 'not_due' && one.amount > 0).length).toBeGreaterThan(2)
  const graduates = await post('/reports/graduates-financial')
  expect(graduates.total.eg_total).toBeGreaterThan(graduates.total.eg_paid)
  expect((await post('/reports/fee-settings')).rows.length).toBeGreaterThan(0)
  const { rows: by } = await post('/reports/payments', { by: 'bank', from: '2020-01-01' })
  expect(by.length).toBeGreaterThan(0)
  // Whoever owes past a due date is held, nobody else; drawers differ, one of them to be reviewed.
  const { rows: wrong } = await u.database.pool
    .query(`select i.id from invoices i join invoice_balances b on b.invoice_id = i.id
    where i.reversed_at is null and exists (select from invoice_overdue(i.id, university_today()) o where o.amount > 0 and b.settled < b.charged)
      is distinct from exists (select from student_holds h where h.invoice_id = i.id and h.lifted_at is null)`)
  expect(wrong).toEqual([])
  const { rows: drawers } = await u.database.pool
    .query(`select h.reviewed_at is not null as reviewed, (k.counted - k.expected)::int as difference
    from cash_shifts h join cash_counts k on k.shift_id = h.id and k.currency = 'EGP' order by h.id`)
  expect(drawers).toEqual([
    { reviewed: false, difference: -5000 },
    { reviewed: true, difference: 2000 },
  ])
})
