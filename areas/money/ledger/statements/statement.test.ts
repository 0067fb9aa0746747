import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { ledgerServer } from '../ledger.server.ts'
import { postEntries } from '../post.server.ts'
import type { LedgerStatementLine, StatementPart } from './statement.contract.ts'
import { statementHeadOf, numbersOf, plainAmount, runningPart, shownAmount } from './statement.rules.ts'

describe('what a line says', () => {
  const line = { kind: 'payment', of_kind: null, way: null, owed: -5, wallet: 0 } as const
  it.each([
    [{ ...line, way: 'cash' }, 'Paid in cash'],
    [{ ...line, kind: 'invoice', owed: 5 }, 'Invoice'],
    [{ ...line, kind: 'wallet', way: 'wallet', wallet: -5 }, 'Paid from the wallet'],
    [{ ...line, kind: 'wallet', way: 'wallet', owed: 5, wallet: 5 }, 'Moved to the wallet'],
    [{ ...line, kind: 'charge', way: 'card', owed: 0, wallet: 5 }, 'Wallet charged'],
    [{ ...line, kind: 'refund', owed: 5 }, 'Refunded'],
    [{ ...line, kind: 'cash_back', owed: 0, wallet: -5 }, 'Paid out of the wallet'],
    [{ ...line, kind: 'reversal', of_kind: 'payment', way: 'bank', owed: 5 }, 'Reversed: Paid at the bank'],
    [{ ...line, kind: 'reversal', of_kind: 'wallet', owed: -5, wallet: -5 }, 'Reversed: Moved to the wallet'],
    [{ ...line, kind: 'transfer' }, 'Transfer'],
  ] as const)('%o', (given, text) => {
    expect(
      statementHeadOf(given)
        .map(([en]) => en)
        .join(': '),
    ).toBe(text)
  })
  it('names its note, its invoices, and the receipt rather than the transaction', () => {
    const of = { note: null, invoices: [{ id: 1, number: 'I-1' }], receipt: null, transaction: 'T-1' }
    expect([numbersOf(of), numbersOf({ ...of, receipt: 'R-1', note: 'N-1' })]).toEqual([
      ['I-1', 'T-1'],
      ['N-1', 'I-1', 'R-1'],
    ])
  })
  it('has amounts in the places of its currency', () => {
    expect([0, 5, 125_050, -123_456_789].map((minor) => shownAmount(minor, 2))).toEqual([
      '0.00',
      '0.05',
      '1,250.50',
      '-1,234,567.89',
    ])
    expect([plainAmount(125_050, 2), plainAmount(-5, 0), shownAmount(1_250_500, 3)]).toEqual([
      '1250.50',
      '-5',
      '1,250.500',
    ])
  })
  it('is followed by the balance after it: what is owed less what the wallet holds', () => {
    const stood = (owed: number, wallet: number) => ({ owed, wallet }) as LedgerStatementLine
    const part = runningPart({ currency: 'EGP', minor_digits: 2, opening: { owed: 100, wallet: 30 } }, [
      stood(50, 0),
      stood(-120, 10),
      stood(-10, -10),
    ])
    expect(part.lines.map((line) => line.balance)).toEqual([120, -10, -10])
    expect(part).toMatchObject({ opening: 70, charged: 50, settled: 130, owed: 20, wallet: 30, balance: -10 })
  })
})

describe('through HTTP', () => {
  let u: TestUniversity
  let w: RegistrationWorld
  let m: ReturnType<typeof moneyWorld>
  let officer: Caller
  let student: Awaited<ReturnType<RegistrationWorld['student']>>
  let other: typeof student
  let invoice: number
  beforeAll(async () => {
    u = await testUniversity([catalogueServer, ledgerServer])
    w = await registrationWorld(u)
    m = moneyWorld(u.database.db)
    officer = await u.as('finance_officer')
    student = await w.student()
    other = await w.student()
    invoice = await m.invoice(student.id, [[1000, 5]])
    await m.invoice(student.id, [[70, 5]], 'USD')
    await m.invoice(other.id, [[5, 5]])
    await book(await m.transaction(student.id, 400))
    await book(await m.transaction(student.id, 800, { way: 'card' }))
    await book(await m.transaction(student.id, 50), '2026-01-05')
    const [wrong] = await book(await m.transaction(student.id, 30))
    const { rows } = await u.database.pool.query<{ entry_id: string }>(
      'select entry_id from transactions where id = $1',
      [wrong!.id],
    )
    await u.database.pool.query(`update transactions set status = 'cancelled', reason = 'Twice' where id = $1`, [
      wrong!.id,
    ])
    await postEntries(u.database.program.db, [
      { source: `cancel:${wrong!.id}`, reversal_of: Number(rows[0]!.entry_id), reason: 'Booked twice' },
    ])
  })
  afterAll(() => u?.close())
  const book = (id: number, booked_on?: string) => {
    const ctx = asSystem(u.services, 'test')
    return ctx.write((tx) => bookTransactions(ctx, tx, [id], { booked_on }))
  }
  const statement = async (who: Caller, query = '', id = student.id) =>
    ok(await who('GET', `/ledger/statements/${id}${query}`))
  const inPounds = async (query = ''): Promise<StatementPart> =>
    (await statement(officer, query)).currencies.find((one: StatementPart) => one.currency === 'EGP')

  it('tells what was charged, paid and booked back, with the balance after each', async () => {
    const { student: who, currencies } = await statement(officer)
    expect([who.id, currencies.map((one: StatementPart) => [one.currency, one.balance])]).toEqual([
      student.id,
      [
        ['EGP', -250],
        ['USD', 70],
      ],
    ])
    const part = await inPounds()
    expect(
      part.lines.map((line) => [
        statementHeadOf(line)
          .map(([en]) => en)
          .join(': '),
        line.owed,
        line.wallet,
        line.balance,
      ]),
    ).toEqual([
      ['Paid at the bank', 0, 50, -50],
      ['Invoice', 1000, 0, 950],
      ['Paid at the bank', -400, 0, 550],
      ['Paid by card', -600, 200, -250],
      ['Paid at the bank', 0, 30, -280],
      ['Reversed: Paid at the bank', 0, -30, -250],
    ])
    expect(part.lines[1]).toMatchObject({
      items: [{ name: 'Test', name_local: 'اختبار', amount: 1000 }],
      invoices: [{ id: invoice, number: 'TEST-1' }],
    })
    expect(part.lines[5]).toMatchObject({ reason: 'Booked twice', of_kind: 'payment' })
    expect(part).toMatchObject({ opening: 0, owed: 0, wallet: 250 })
  })

  it('why a note was written is told in the language of who reads', async () => {
    const of = await w.student()
    const charged = await m.invoice(of.id, [[1000, 5]])
    const payer_id = await m.payerOf(of.id)
    await u.database.program.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into invoice_notes (invoice_id, number, kind, amount, reason, reason_local, issued_on)
        values (${charged}, 'TEST-N', 'debit', 10, 'Hours changed', 'تغيّرت الساعات', university_today()) returning id`.execute(
        tx,
      )
      await sql`update installments set amount = amount + 10 where invoice_id = ${charged}`.execute(tx)
      const postings = [
        { role: 'receivable' as const, payer_id, invoice_id: charged, amount: 10 },
        { role: 'services' as const, amount: -10 },
      ]
      await postEntries(tx, [
        {
          kind: 'debit_note',
          source: `note:${rows[0]!.id}`,
          currency: 'EGP',
          settles: false,
          reason: 'Hours changed',
          postings,
        },
      ])
    })
    const finance = await u.as('finance_officer')
    const { lines } = ok(await finance('GET', `/ledger/statements/${of.id}`)).currencies[0]
    expect(lines.at(-1)).toMatchObject({ reason: 'Hours changed', reason_local: 'تغيّرت الساعات' })
  })

  it('as of a day, from a day with what stood before, of one currency', async () => {
    expect(await inPounds('?until=2026-02-01')).toMatchObject({ balance: -50, lines: [{ booked_on: '2026-01-05' }] })
    const part = await inPounds('?from=2026-01-06')
    expect([part.opening, part.lines.length, part.lines[0]!.balance, part.balance]).toEqual([-50, 5, 950, -250])
    // Of a time in which nothing happened: where it stands.
    expect(await inPounds('?from=2026-01-06&until=2026-01-07')).toMatchObject({ opening: -50, balance: -50, lines: [] })
    expect((await statement(officer, '?currency=USD')).currencies.map((one: StatementPart) => one.currency)).toEqual([
      'USD',
    ])
    expect((await statement(officer, '?until=2020-01-01')).currencies).toEqual([])
    const wrong = await officer('GET', `/ledger/statements/${student.id}?from=2026-02-01&until=2026-01-01`)
    expect([wrong.status, reasons(wrong)]).toEqual([422, ['statement_days@until']])
  })

  it('of all payers that a student is', async () => {
    const merged = await w.student()
    await book(await m.transaction(merged.id, 11))
    await w.query('update payers set student_id = $1 where student_id = $2', [student.id, merged.id])
    expect((await inPounds()).wallet).toBe(261)
    await w.query('update payers set student_id = $2 where student_id = $1 and not main', [student.id, merged.id])
    expect((await inPounds()).wallet).toBe(250)
  })

  it('is the own for a student, and for staff within reach', async () => {
    expect((await statement(student.as)).student.id).toBe(student.id)
    const elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
    for (const [who, status] of [
      [other.as, 404],
      [elsewhere, 404],
      [await u.as('instructor'), 403],
      [u.nobody, 401],
    ] as const)
      expect([
        (await who('GET', `/ledger/statements/${student.id}`)).status,
        (await who('POST', `/ledger/statements/${student.id}/en`, { format: 'pdf' })).status,
      ]).toEqual([status, status])
  })

  it('is printed in both languages and written as a sheet', async () => {
    for (const lang of ['ar', 'en']) {
      const pdf = await student.as('POST', `/ledger/statements/${student.id}/${lang}`, { from: '2026-01-06' })
      expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    const { bytes } = await officer('POST', `/ledger/statements/${student.id}/en`, { format: 'xlsx', currency: 'EGP' })
    expect(JSON.stringify(await readSheet(bytes))).toContain('Paid by card')
  })
})
