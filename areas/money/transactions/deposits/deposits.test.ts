import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repriceJob } from '#areas/money/invoices/next/next.server.ts'
import { bookTransactions } from '../book.server.ts'
import { proofOf } from '#areas/money/ledger/testing.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'

const tick = Object.assign(async () => {}, { signal: new AbortController().signal })
let u: TestUniversity
let finance: Caller
let registrar: Caller
interface Held {
  readonly payer: number
  readonly student: number
  readonly user: number
  readonly faculty: number
  readonly held: number
  readonly owed: number
}
/** Students of whom a deposit in EGP is held: those who owe something, and those who owe nothing. */
let owing: Held[]
let clear: Held[]
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await query<Row>(text, values))[0]!
const balance = (payer: number) =>
  one<{ deposit: number; wallet: number; owed: number }>(
    `select deposit::int, wallet::int, owed::int from payer_balances where payer_id = $1 and currency = 'EGP'`,
    [payer],
  )
const leave = async (of: Held, status = 'withdrawn') =>
  ok(
    await registrar('POST', `/students/status/${of.student}`, {
      status,
      decision: 'Council 4',
      decided_on: '2026-01-15',
    }),
  )
const giveBack = (ids: readonly number[], more: object = {}, who = finance) =>
  who('POST', '/deposits/return', { ids, currency: 'EGP', reason: 'Left the university', ...more })
/** What was done, or why not. */
const said = (answer: Answer) =>
  answer.status === 200
    ? answer.body.data.failed.flatMap((row: any) => row.errors.map((error: any) => error.code))
    : [answer.status, ...reasons(answer)]
const stateOf = async (of: Held, who = finance) =>
  (ok(await who('POST', '/deposits', { filters: { student_id: [of.student] } })) as any[]).map((row) => [
    row.state,
    row.held,
    row.returned,
    row.abilities,
  ])
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  finance = await u.as('finance_officer')
  registrar = await u.as('registrar')
  // The next invoices of students who entered in this year.
  const entrants = await query<{ id: number; term_id: number }>(
    `select s.id, s.entry_term_id as term_id from students s where s.status = 'studying' and s.removed_at is null and s.nationality_id = 64
       and not exists (select from internal_transfers t where t.student_id = s.id) and not exists (select from transfers_out t where t.student_id = s.id)
       and s.entry_term_id = (select id from terms order by start_date desc, id desc limit 1) and not s.is_second_record and s.user_id is not null
       and (select count(*) from payers q where q.student_id = s.id) = 1 order by s.id desc limit 20`,
  )
  for (const one of entrants) await finance('POST', `/payments/apply_next_invoice/${one.id}`, { term_id: one.term_id })
  const found = await query<Held>(
    `select p.id as payer, s.id as student, s.user_id as user, s.faculty_id as faculty, b.deposit::int as held, b.owed::int as owed
     from payer_balances b join payers p on p.id = b.payer_id join students s on s.id = p.student_id
     where b.deposit > 0 and b.currency = 'EGP' and s.status = 'studying' and s.user_id is not null and s.removed_at is null
       and not exists (select from refund_requests q where q.payer_id = p.id) and not exists (select from payment_slips x join invoices i on i.id = x.invoice_id where i.payer_id = p.id)
       and (select count(*) from payers q where q.student_id = s.id) = 1
       and not exists (select from invoices i where i.payer_id = p.id and i.plan_id is not null)
       and s.id = any($1)
     order by s.id`,
    [entrants.map((row) => row.id)],
  )
  owing = found.filter((row) => row.owed > row.held)
  // Some of them pay all that they owe.
  clear = owing.splice(0, 8)
  const ctx = asSystem(u.services, 'test')
  for (const of of clear) {
    const { id } = await one<{ id: number }>(
      `insert into transactions (payer_id, way, currency, amount, status) values ($1, 'bank', 'EGP', $2, 'pending') returning id`,
      [of.payer, of.owed],
    )
    await ctx.write((tx) => bookTransactions(ctx, tx, [id]))
  }
}, 540_000)
afterAll(() => u?.close())

describe('a deposit', () => {
  it('is charged on the first invoice of who enters alone, and held as what the university owes', async () => {
    expect([owing.length > 2, clear.length]).toEqual([true, 8])
    const lines = await query<{ entered: boolean; n: number; twice: number }>(
      `select t.year_id = i.year_id as entered, count(*)::int as n, (count(*) - count(distinct i.payer_id))::int as twice
       from invoice_lines l join invoices i on i.id = l.invoice_id join payers p on p.id = i.payer_id
         join students s on s.id = p.student_id join terms t on t.id = s.entry_term_id where l.account = 'deposit' group by 1`,
    )
    expect(lines).toMatchObject([{ entered: true, twice: 0 }])
    expect(lines[0]!.n).toBeGreaterThan(15)
    const account = await one<{ kind: string; held: number }>(
      `select a.kind, -sum(p.amount)::int as held from ledger_accounts a join ledger_postings p on p.account_id = a.id
       where a.role = 'deposit' and p.currency = 'EGP' group by 1`,
    )
    expect(account).toEqual({
      kind: 'liability',
      held:
        lines[0]!.n * 200_000 -
        (
          await one<{ usd: number }>(
            `select count(*)::int * 200000 as usd from invoice_lines l join invoices i on i.id = l.invoice_id where l.account = 'deposit' and i.currency = 'USD'`,
          )
        ).usd,
    })
    expect(await proofOf(u.services)).toMatchObject({ count: 0 })
    // Computed again it stays what it is: nothing is charged a second time.
    const [of] = clear
    await query(
      `insert into outdated_invoices (invoice_id) select i.id from invoices i where i.payer_id = $1 and i.reversed_at is null
      and i.type in ('tuition', 'hours', 'summer') on conflict do nothing`,
      [of!.payer],
    )
    const before = await balance(of!.payer)
    await repriceJob.run(asSystem(u.services, 'test'), {}, tick)
    expect((await balance(of!.payer)).deposit).toBe(before.deposit)
  })

  it('is given back once its student has left, into the wallet, and no second time, also by two at once', async () => {
    const of = clear.shift()!
    expect(await stateOf(of)).toEqual([['held', of.held, 0, []]])
    expect(said(await giveBack([of.payer]))).toEqual(['deposit_studies'])
    await leave(of)
    expect(await stateOf(of)).toEqual([['to_return', of.held, 0, ['return']]])
    const before = await balance(of.payer)
    const both = await Promise.all([giveBack([of.payer]), giveBack([of.payer], {}, await u.as('finance_officer'))])
    expect(both.map(said).toSorted()).toEqual([[], ['deposit_none']])
    expect(await balance(of.payer)).toEqual({ deposit: 0, wallet: before.wallet + of.held, owed: 0 })
    expect(await stateOf(of)).toEqual([['given_back', 0, of.held, []]])
    expect(said(await giveBack([of.payer]))).toEqual(['deposit_none'])
    await expect(query(`update payer_balances set deposit = -1 where payer_id = $1`, [of.payer])).rejects.toThrow(
      'deposit_negative',
    )
    const statement = ok(await finance('GET', `/ledger/statements/${of.student}`))
    const [part] = statement.currencies
    expect([part.deposit, part.lines.at(-1).way, part.lines.at(-1).wallet]).toEqual([0, 'deposit', of.held])
    const notice = await one<{ n: number }>(
      `select count(*)::int as n from notifications where user_id = $1 and key = 'transactions.notice_deposit_back'`,
      [of.user],
    )
    expect(notice.n).toBe(1)
    expect(await proofOf(u.services)).toMatchObject({ count: 0 })
  })

  it('is refused while something is owed, and settles it where it is set off', async () => {
    const of = owing.shift()!
    await leave(of)
    expect(said(await giveBack([of.payer]))).toEqual(['deposit_owed'])
    const answer = await giveBack([of.payer], { set_off: true })
    expect(answer.body.data.done).toEqual([
      { id: of.payer, transaction_id: expect.any(Number), set_off: of.held, to_wallet: 0 },
    ])
    expect(await balance(of.payer)).toMatchObject({ deposit: 0, owed: of.owed - of.held })
    expect(await proofOf(u.services)).toMatchObject({ count: 0 })
    // Nothing came: it is not given back as a payment. Cancelled it is held again.
    const { transaction_id } = answer.body.data.done[0]
    expect(said(await finance('POST', `/payments/refund/${transaction_id}`, { reason: 'Twice' }))).toEqual([
      409,
      'refund_deposit',
    ])
    const invoice = await one<{ id: number }>(
      `select l.invoice_id as id from invoice_lines l join invoices i on i.id = l.invoice_id where i.payer_id = $1 and l.account = 'deposit'`,
      [of.payer],
    )
    expect(said(await finance('POST', `/payments/reverse-invoice/${invoice.id}`, { reason: 'Wrong' }))).toEqual([
      409,
      'invoice_deposit_back',
    ])
    ok(await finance('POST', '/transactions/cancel-transaction', { id: transaction_id, reason: 'By mistake' }))
    expect(await balance(of.payer)).toMatchObject({ deposit: of.held, owed: of.owed })
    ok(await finance('POST', `/payments/reverse-invoice/${invoice.id}`, { reason: 'Wrong' }))
    expect(await balance(of.payer)).toMatchObject({ deposit: 0 })
    expect(await proofOf(u.services)).toMatchObject({ count: 0 })
  })

  it('goes back to who was dismissed as the settings say', async () => {
    const of = clear.shift()!
    await leave(of, 'dismissed')
    expect(said(await giveBack([of.payer]))).toEqual(['deposit_dismissed'])
    expect((await stateOf(of))[0]![0]).toBe('held')
    await query(
      `insert into settings (key, value, grouping) values ('deposit_back_dismissed', '"true"', 'payment') on conflict (key) do update set value = excluded.value`,
    )
    expect((await stateOf(of))[0]![0]).toBe('to_return')
    expect(said(await giveBack([of.payer]))).toEqual([])
  })

  it('is booked on the day it is given back, also when all days before are closed', async () => {
    const of = clear.shift()!
    await leave(of)
    await query(`insert into ledger_closings (closed_through, closed_by) values (university_today() - 1, $1)`, [
      finance.user_id,
    ])
    expect(said(await giveBack([of.payer]))).toEqual([])
    const booked = await one<{ today: boolean }>(
      `select e.booked_on = university_today() as today from transactions t join ledger_entries e on e.id = t.entry_id where t.payer_id = $1 and t.way = 'deposit'`,
      [of.payer],
    )
    expect(booked.today).toBe(true)
    expect(await proofOf(u.services)).toMatchObject({ count: 0 })
  })

  it('is nothing for the wrong people', async () => {
    const of = clear.shift()!
    await leave(of)
    for (const role of ['registrar', 'instructor', 'student', null] as const) {
      const who = await u.as(role)
      expect((await who('POST', '/deposits', {})).status, String(role)).toBe(403)
      expect((await giveBack([of.payer], {}, who)).status, String(role)).toBe(403)
    }
    const cashier = await u.as('cashier')
    expect((await stateOf(of, cashier))[0]![3]).toEqual([])
    expect((await giveBack([of.payer], {}, cashier)).status).toBe(403)
    const { id: elsewhere } = await one<{ id: number }>('select id from faculties where id <> $1 order by id limit 1', [
      of.faculty,
    ])
    const far = await u.as('finance_officer', ['faculty', elsewhere])
    expect(await stateOf(of, far)).toEqual([])
    expect(said(await giveBack([of.payer], {}, far))).toEqual(['not_found'])
    await query('update students set user_id = $2 where id = $1', [of.student, finance.user_id])
    expect(said(await giveBack([of.payer]))).toEqual(['own_money'])
  })
})
