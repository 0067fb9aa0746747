import { afterAll, beforeAll, expect, it } from 'vitest'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { ledgerServer } from '../ledger.server.ts'
import { postEntries } from '../post.server.ts'
import { verifyLedger } from '../proof/verify.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let head: Caller
let officer: Caller
let ofFaculty: Caller
let student: Awaited<ReturnType<RegistrationWorld['student']>>
let today: string
let day: (before: number) => string
let egp: number
beforeAll(async () => {
  u = await testUniversity([catalogueServer, ledgerServer])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  head = await u.as('finance_head')
  officer = await u.as('finance_officer')
  ofFaculty = await u.as('finance_head', ['faculty', w.faculty])
  student = await w.student()
  ;[{ today }] = (await w.query<{ today: string }>('select university_today()::text as today')) as [{ today: string }]
  day = (before) => addDays(today, -before)
  ;[{ id: egp }] = (await w.query<{ id: number }>(`select id from currencies where code = 'EGP'`)) as [{ id: number }]
  await m.invoice(student.id, [[100_000, 5]])
  await proven()
})
afterAll(() => u?.close())

/** A proof of today, with so many findings. */
const proven = (count = 0) =>
  w.query(`insert into ledger_proofs (seconds, entries, postings, totals, count) values (1, 0, 0, '{}', $1)`, [count])
const pay = async (
  amount: number,
  booked_on: string,
): Promise<{ id: number; booked_on: string; happened_on: string | null }> => {
  const ctx = asSystem(u.services, 'test')
  const id = await m.transaction(student.id, amount)
  await ctx.write((tx) => bookTransactions(ctx, tx, [id], { booked_on }))
  const [entry] = await w.query<{ id: number; booked_on: string; happened_on: string | null }>(
    `select id::int, booked_on::text, happened_on::text from ledger_entries where source = $1`,
    [`transaction:${id}`],
  )
  return entry!
}
/** Money from the drawer to the bank. */
const transfer = (source: string, booked_on: string) => ({
  kind: 'transfer' as const,
  source,
  currency: 'EGP',
  settles: false,
  booked_on,
  postings: [
    { role: 'cash' as const, amount: -5 },
    { role: 'bank' as const, amount: 5 },
  ],
})
const close = (through: string, who = head) => who('POST', '/ledger/periods/close', { closed_through: through })
const standing = async () => ok(await officer('GET', '/ledger/periods'))

it('is closed by the head of finance for the whole university, and by nobody else', async () => {
  expect((await close(day(10), officer)).status).toBe(403)
  expect((await close(day(10), ofFaculty)).status).toBe(403)
  expect((await (await u.as('registrar'))('GET', '/ledger/periods')).status).toBe(403)
  expect((await officer('POST', '/ledger/periods/preview', { closed_through: day(10) })).status).toBe(403)
  expect(await standing()).toMatchObject({ closed_through: null, closings: [] })
})

it('says what a day holds and every reason against it, and refuses for the same', async () => {
  await pay(400, day(20))
  await w.query(
    `insert into cash_shifts (number, cashier_id, opened_at) select 'D-1', id, now() - interval '12 days' from users limit 1`,
  )
  const said = ok(await head('POST', '/ledger/periods/preview', { closed_through: day(10) }))
  expect(said).toMatchObject({ from: day(20), entries: 1, sums: [{ currency: 'EGP', amount: 400 }] })
  expect(said.reasons.map((reason: { code: string }) => reason.code)).toEqual(['ledger_drawer_open'])
  expect(reasons(await close(day(10)))).toEqual(['ledger_drawer_open'])
  await w.query('update cash_shifts set closed_at = now()')
  await proven(3)
  expect(reasons(await close(day(10)))).toEqual(['ledger_with_findings'])
  await w.query('delete from ledger_proofs')
  expect(reasons(await close(day(10)))).toEqual(['ledger_not_proven'])
  // One from within the period says nothing of its last days.
  await proven()
  await w.query(`update ledger_proofs set proven_at = now() - interval '11 days'`)
  expect(reasons(await close(day(10)))).toEqual(['ledger_not_proven'])
  expect(reasons(await close(today))).toEqual(['ledger_closing_day@closed_through', 'ledger_not_proven'])
  await proven()
})

it('what happens on a closed day is booked on the first open one, whatever it is', async () => {
  ok(await close(day(10)))
  expect(reasons(await close(day(11)))).toEqual(['ledger_closed_already@closed_through'])
  const late = await pay(500, day(15))
  expect(late).toMatchObject({ booked_on: day(9), happened_on: day(15) })
  expect(await pay(600, day(9))).toMatchObject({ booked_on: day(9), happened_on: null })
  // A refund into a closed period, and a callback that waited.
  const [moved] = await postEntries(u.database.program.db, [transfer('moved', day(15))])
  const reversal = { source: 'back', reversal_of: moved!.entry_id, booked_on: day(15), reason: 'Cheque returned' }
  const [back] = await postEntries(u.database.program.db, [reversal])
  expect(ok(await officer('GET', `/ledger/entries/${back!.entry_id}`))).toMatchObject({
    booked_on: day(9),
    happened_on: day(15),
  })
  // Once more is no second entry, closed or not.
  expect(await postEntries(u.database.program.db, [reversal])).toMatchObject([
    { entry_id: back!.entry_id, booked: false },
  ])
  expect((await verifyLedger(u.database.program.db)).findings).toEqual([])
})

it('whoever books while somebody closes comes before or after, never between', async () => {
  const [booking, closing] = [await u.database.pool.connect(), await u.database.program.pool.connect()]
  try {
    await booking.query('begin')
    await booking.query(`select ledger_post($1::jsonb)`, [JSON.stringify([transfer('between', day(7))])])
    let closed = false
    const waiting = closing
      .query(`insert into ledger_closings (closed_through, closed_by) select $1, id from users limit 1`, [day(6)])
      .then(() => (closed = true))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(closed).toBe(false)
    await booking.query('commit')
    await waiting
  } finally {
    booking.release()
    closing.release()
  }
  const [entry] = await w.query<{ booked_on: string }>(
    `select booked_on::text from ledger_entries where source = 'between'`,
  )
  expect(entry).toEqual({ booked_on: day(7) })
  expect((await verifyLedger(u.database.program.db)).findings).toEqual([])
})

it('only the last closing is taken back, with a reason; the history keeps both', async () => {
  const { closings } = await standing()
  const [last, first] = closings as { id: number }[]
  const reopen = (id: number, reason = 'An invoice was forgotten') =>
    head('POST', `/ledger/periods/reopen/${id}`, { reason })
  expect(reasons(await reopen(first!.id))).toEqual(['ledger_closed_later'])
  expect(reasons(await reopen(last!.id, ' '))).toEqual(['too_short@reason'])
  expect((await officer('POST', `/ledger/periods/reopen/${last!.id}`, { reason: 'Mine' })).status).toBe(403)
  ok(await reopen(last!.id))
  expect(reasons(await reopen(last!.id))).toEqual(['ledger_closing_stays'])
  expect((await reopen(999_999)).status).toBe(404)
  expect(await standing()).toMatchObject({
    closed_through: day(10),
    closings: [{ reopen_reason: 'An invoice was forgotten', closed_through: day(6) }, { reopened_at: null }],
  })
  expect(await pay(700, day(7))).toMatchObject({ booked_on: day(7), happened_on: null })
})

it('the database holds it, whoever writes', async () => {
  const refused = async (statement: string, values: unknown[] = []) =>
    u.database.program.pool.query(statement, values).then(
      () => 'done',
      (error: Error) => error.message,
    )
  expect(await refused('delete from ledger_closings')).toBe('ledger_closing_stays')
  expect(await refused(`update ledger_closings set closed_through = $1 where reopened_at is null`, [day(2)])).toBe(
    'ledger_closing_stays',
  )
  const insert = 'insert into ledger_closings (closed_through, closed_by) select $1, id from users limit 1'
  expect(await refused(insert, [today])).toBe('ledger_closing_day')
  expect(await refused(insert, [day(12)])).toBe('ledger_closed_already')
})

it('an entry that went into a closed period past every door is found', async () => {
  await u.database.pool.query(`alter table ledger_entries disable trigger append_only`)
  await u.database.pool.query(
    `update ledger_entries set booked_on = $1, happened_on = null, created_at = now() where source = 'back'`,
    [day(12)],
  )
  const { findings } = await verifyLedger(u.database.program.db)
  expect(findings.map((one) => [one.kind, one.name])).toEqual([['closed', 'back']])
  await u.database.pool.query(`update ledger_entries set booked_on = $1, happened_on = $2 where source = 'back'`, [
    day(9),
    day(15),
  ])
  await u.database.pool.query(`alter table ledger_entries enable trigger append_only`)
})

it('the journal bears the codes of the general ledger, or says which are missing', async () => {
  const journal = (format: string, more: object = {}, who = officer) =>
    who('POST', '/ledger/journal', { from: day(30), until: today, currency_id: egp, format, ...more })
  const sheet = await journal('xlsx')
  expect(sheet.status).toBe(200)
  const { sheets } = await readSheet(sheet.bytes)
  expect(sheets[0]!.rows.length).toBeGreaterThan(4)
  const missing = await journal('odoo')
  expect(reasons(missing)).toEqual(['ledger_unmapped'])
  expect(missing.body.error.en).toContain('Receivable from payers')
  await w.query(`update ledger_accounts set external_code = 'X' || code`)
  const file = await journal('odoo', { journal: 'MISC' })
  const [headings, ...lines] = file.bytes.toString('utf8').replace('\uFEFF', '').trim().split('\r\n')
  expect(headings).toBe('ref,date,journal_id,line_ids/account_id,line_ids/name,line_ids/debit,line_ids/credit')
  const both = [5, 6].map((column) => lines.reduce((sum, line) => sum + Number(line.split(',')[column]), 0).toFixed(2))
  expect(both[0]).toBe(both[1])
  expect(Number(both[0])).toBeGreaterThan(1000)
  expect(reasons(await journal('csv', { from: today, until: day(1) }))).toEqual(['ledger_journal_days@until'])
  expect(reasons(await journal('csv', { from: day(400) }))).toEqual(['ledger_journal_days@until'])
  expect(reasons(await journal('csv', { currency_id: 999 }))).toEqual(['reference_missing@currency_id'])
  expect((await journal('csv', {}, ofFaculty)).status).toBe(403)
  expect((await journal('csv', {}, await u.as('cashier'))).status).toBe(403)
})
