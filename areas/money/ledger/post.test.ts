import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { postEntries, type LedgerEntry } from './post.server.ts'

let database: TestDatabase
let payer: number
let other: number
beforeAll(async () => {
  database = await createTestDatabase()
  const { rows } = await database.pool.query<{ id: number }>(`
    with f as (insert into faculties (code, name, name_local) values ('F', 'F', 'F') returning id),
      b as (insert into bylaws (code, name, name_local, faculty_id) select 'B', 'B', 'B', id from f returning id, faculty_id),
      p as (insert into programs (code, name, name_local, faculty_id, bylaw_id) select 'P', 'P', 'P', faculty_id, id from b returning id, faculty_id, bylaw_id)
    insert into students (code, name, name_local, faculty_id, program_id, bylaw_id)
      select 'S' || n, 'S', 'S', faculty_id, id, bylaw_id from p cross join generate_series(1, 2) n returning id`)
  const payers = await database.pool.query<{ id: number }>(
    'select id from payers where student_id = any($1) order by id',
    [rows.map((row) => row.id)],
  )
  // What instalments of an invoice are is looked at elsewhere.
  await database.pool.query(
    'alter table installments disable trigger whole; alter table invoice_balances disable trigger whole',
  )
  await database.pool.query(
    `insert into invoices (number, payer_id, type, currency, issued_on) select 'T' || n, $1, 'extra', 'EGP', university_today() from generate_series(1, 8) n`,
    [payers.rows[0]!.id],
  )
  ;[payer, other] = payers.rows.map((row) => row.id) as [number, number]
})
afterAll(() => database?.drop())

let number = 0
const entry = (more: Partial<LedgerEntry>): LedgerEntry => ({
  kind: 'invoice',
  source: `test:${++number}`,
  currency: 'EGP',
  settles: false,
  postings: [],
  ...more,
})
const charge = (invoice_id: number, amount: number, payer_id = payer) =>
  entry({
    postings: [
      { role: 'receivable', payer_id, invoice_id, amount },
      { role: 'tuition', amount: -amount },
    ],
  })
const pay = (invoice_id: number, amount: number, payer_id = payer) =>
  entry({
    kind: 'payment',
    settles: true,
    postings: [
      { role: 'cash', amount },
      { role: 'receivable', payer_id, invoice_id, amount: -amount },
    ],
  })
const post = (...entries: Parameters<typeof postEntries>[1]) => postEntries(database.program.db, entries)
const refused = async (work: Promise<unknown>) => {
  const error = (await work.then(
    () => ({}),
    (e: unknown) => e,
  )) as { constraint?: string; code?: string }
  return error.constraint ?? error.code
}
const stands = async (id: number) =>
  (await database.pool.query('select charged::int, settled::int from invoice_balances where invoice_id = $1', [id]))
    .rows[0]

describe('entries', () => {
  it('keep what an invoice charges, what settles it, what a payer owes and holds', async () => {
    await post(charge(1, 1000), pay(1, 400))
    expect(await stands(1)).toEqual({ charged: 1000, settled: 400 })
    // What is paid beyond it goes into the wallet, and comes from there.
    await post(
      entry({
        kind: 'payment',
        settles: true,
        postings: [
          { role: 'cash', amount: 700 },
          { role: 'receivable', payer_id: payer, invoice_id: 1, amount: -600 },
          { role: 'wallet', payer_id: payer, amount: -100 },
        ],
      }),
    )
    const { rows } = await database.pool.query(
      'select owed::int, wallet::int from payer_balances where payer_id = $1',
      [payer],
    )
    expect([await stands(1), rows]).toEqual([{ charged: 1000, settled: 1000 }, [{ owed: 0, wallet: 100 }]])
  })

  it('are booked once; the same source with other postings is refused', async () => {
    const one = charge(2, 500)
    const [first] = await post(one)
    const [again] = await post(one)
    expect([first!.booked, again!.booked, again!.entry_id]).toEqual([true, false, first!.entry_id])
    expect(await refused(post({ ...charge(2, 600), source: one.source }))).toBe('ledger_source_differs')
    expect(await stands(2)).toEqual({ charged: 500, settled: 0 })
  })

  it.each([
    [
      'unbalanced',
      () =>
        entry({
          postings: [
            { role: 'cash', amount: 5 },
            { role: 'tuition', amount: -4 },
          ],
        }),
      'ledger_unbalanced',
    ],
    ['nothing', () => entry({}), 'ledger_empty'],
    [
      'of nobody',
      () =>
        entry({
          postings: [
            { role: 'receivable', amount: 5 },
            { role: 'cash', amount: -5 },
          ],
        }),
      'ledger_posting_shape',
    ],
    [
      'an invoice elsewhere',
      () =>
        entry({
          postings: [
            { role: 'cash', invoice_id: 1, amount: 5 },
            { role: 'tuition', amount: -5 },
          ],
        }),
      'ledger_posting_shape',
    ],
    [
      'a wallet below nothing',
      () =>
        entry({
          kind: 'wallet',
          settles: true,
          postings: [
            { role: 'wallet', payer_id: other, amount: 1 },
            { role: 'cash', amount: -1 },
          ],
        }),
      'wallet_negative',
    ],
    ['more than is charged', () => pay(3, 1), 'invoice_overpaid'],
    ['another currency', () => ({ ...charge(2, 5), currency: 'USD' }), 'invoice_currency'],
    ['no such currency', () => ({ ...charge(4, 5), currency: 'XXX' }), 'ledger_entries_currency_fkey'],
    [
      'no such account',
      () =>
        entry({
          postings: [
            { account_id: 99_999, amount: 5 },
            { role: 'tuition', amount: -5 },
          ],
        }),
      'ledger_postings_account_id_fkey',
    ],
  ])('are refused: %s', async (_name, made, code) => {
    expect(await refused(post(made()))).toBe(code)
  })

  it('are corrected by a reversal, once, which settles what the entry settled', async () => {
    const [, paid] = await post(charge(5, 300), pay(5, 300))
    const back = { source: `test:${++number}`, reversal_of: paid!.entry_id, reason: 'Cheque returned' }
    expect((await post(back))[0]!.booked).toBe(true)
    expect((await post(back))[0]!.booked).toBe(false)
    expect(await stands(5)).toEqual({ charged: 300, settled: 0 })
    expect(await refused(post({ ...back, source: 'test:other' }))).toBe('ledger_reversed_twice')
    const [again] = await post(back)
    expect(await refused(post({ ...back, source: 'test:third', reversal_of: again!.entry_id }))).toBe(
      'ledger_reversal_of_reversal',
    )
  })

  it('settle together what alone would not: a credit note below what was paid', async () => {
    await post(charge(6, 1000), pay(6, 1000))
    const note = entry({
      kind: 'credit_note',
      postings: [
        { role: 'tuition', amount: 200 },
        { role: 'receivable', payer_id: payer, invoice_id: 6, amount: -200 },
      ],
    })
    expect(await refused(post(note))).toBe('invoice_overpaid')
    await post(
      note,
      entry({
        kind: 'wallet',
        settles: true,
        postings: [
          { role: 'receivable', payer_id: payer, invoice_id: 6, amount: 200 },
          { role: 'wallet', payer_id: payer, amount: -200 },
        ],
      }),
    )
    expect(await stands(6)).toEqual({ charged: 800, settled: 800 })
  })

  it('are the owner’s function alone: the program neither writes, changes nor deletes', async () => {
    const { pool } = database.program
    for (const statement of [
      `insert into ledger_entries (kind, source, currency, booked_on, settles, digest) values ('payment', 'x', 'EGP', university_today(), true, '')`,
      'update ledger_postings set amount = 1',
      'delete from ledger_entries',
      'update payer_balances set wallet = 1000',
      'update invoice_balances set settled = charged',
      'truncate ledger_postings',
    ])
      expect(await refused(pool.query(statement)), statement).toBe('42501')
    // What is booked to stays what it is.
    for (const change of [`kind = 'income'`, 'per_payer = false', 'role = null'])
      await expect(
        database.pool.query(`update ledger_accounts set ${change} where role = 'wallet'`),
        change,
      ).rejects.toMatchObject({ constraint: 'ledger_account_needed' })
    // Nor does the owner, by mistake.
    expect(await refused(database.pool.query('update ledger_postings set amount = 1'))).toBe('42501')
  })

  it('at once from many sides: a wallet is spent once, sources are booked once, nobody waits for ever', async () => {
    await post(
      entry({
        kind: 'charge',
        settles: true,
        postings: [
          { role: 'cash', amount: 100 },
          { role: 'wallet', payer_id: other, amount: -100 },
        ],
      }),
      charge(7, 1000, other),
      charge(8, 1000, payer),
    )
    const spend = () =>
      entry({
        kind: 'wallet',
        settles: true,
        postings: [
          { role: 'wallet', payer_id: other, amount: 60 },
          { role: 'receivable', payer_id: other, invoice_id: 7, amount: -60 },
        ],
      })
    const spent = await Promise.all(Array.from({ length: 6 }, () => refused(post(spend()))))
    expect(spent.filter((code) => code === undefined)).toHaveLength(1)
    expect(spent.filter((code) => code === 'wallet_negative')).toHaveLength(5)
    const same = pay(7, 10, other)
    const booked = await Promise.all(Array.from({ length: 6 }, () => post(same)))
    expect(booked.flat().filter((one) => one.booked)).toHaveLength(1)
    // Two payers, in both orders.
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 2 ? post(pay(7, 1, other), pay(8, 1)) : post(pay(8, 1), pay(7, 1, other)),
      ),
    )
    expect([await stands(7), await stands(8)]).toEqual([
      { charged: 1000, settled: 82 },
      { charged: 1000, settled: 12 },
    ])
  })
})
