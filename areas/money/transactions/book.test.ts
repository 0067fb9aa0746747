import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { followDebts } from '#areas/money/invoices/holds.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { testUniversity, type TestUniversity } from '#tests/university.ts'
import { allocate } from './allocate.rules.ts'
import { bookTransactions, type BookOptions } from './book.server.ts'

describe('what money settles', () => {
  const open = [
    { id: 1, open: 300, due_date: '2026-03-01' },
    { id: 2, open: 200, due_date: '2026-01-01' },
    { id: 3, open: 200, due_date: '2026-01-01' },
  ]
  it.each([
    [
      'what is due earliest',
      250,
      {},
      [
        [2, 200],
        [3, 50],
      ],
      0,
    ],
    [
      'all, and the rest',
      1000,
      {},
      [
        [2, 200],
        [3, 200],
        [1, 300],
      ],
      300,
    ],
    [
      'what is asked for, first',
      350,
      { prefer: [{ invoice_id: 1 }] },
      [
        [1, 300],
        [2, 50],
      ],
      0,
    ],
    [
      'a part of it',
      350,
      { prefer: [{ invoice_id: 1, amount: 100 }] },
      [
        [1, 200],
        [2, 150],
      ],
      0,
    ],
    ['nothing else', 350, { prefer: [{ invoice_id: 1, amount: 100 }], only: true }, [[1, 100]], 250],
    ['not what is not open', 10, { prefer: [{ invoice_id: 9 }], only: true }, [], 10],
  ] as const)('%s', (_name, amount, options, allocations, rest) => {
    const made = allocate(amount, open, options)
    const sorted = (rows: readonly (readonly [number, number])[]) => [...rows].toSorted((a, b) => a[0] - b[0])
    expect(sorted(made.allocations.map((one) => [one.invoice_id, one.amount]))).toEqual(
      _name === 'a part of it'
        ? [
            [1, 100],
            [2, 200],
            [3, 50],
          ]
        : sorted(allocations),
    )
    expect(made.rest).toBe(rest)
  })
})

describe('booking', () => {
  let u: TestUniversity
  let w: RegistrationWorld
  let m: ReturnType<typeof moneyWorld>
  beforeAll(async () => {
    u = await testUniversity([catalogueServer])
    w = await registrationWorld(u)
    m = moneyWorld(u.database.db)
  })
  afterAll(() => u?.close())
  const book = (ids: number[], options?: BookOptions) => {
    const ctx = asSystem(u.services, 'test')
    return ctx.write((tx) => bookTransactions(ctx, tx, ids, options))
  }
  const sweep = (payers: number[] | null) => {
    const ctx = asSystem(u.services, 'test')
    return ctx.write((tx) => followDebts(ctx, tx, payers))
  }

  it('settles, fills the wallet, and lifts the hold of what was overdue in the same transaction', async () => {
    const { id: student } = await w.student()
    const late = await m.invoice(student, [
      [500, -3],
      [500, 30],
    ])
    await sweep(null)
    expect(await m.holds(student)).toHaveLength(1)
    const id = await m.transaction(student, 400)
    const [first] = await book([id])
    expect(first).toMatchObject({ booked: true, rest: 0, allocations: [{ invoice_id: late, amount: 400 }] })
    // 100 of the first part are still late.
    expect(await m.holds(student)).toHaveLength(1)
    await book([await m.transaction(student, 100)])
    expect([await m.holds(student), await m.stands(late)]).toEqual([[], [500, 1000]])
    // Once more does nothing.
    expect((await book([id]))[0]).toMatchObject({ booked: false })
    await book([await m.transaction(student, 600)])
    expect([await m.stands(late), await m.wallet(student)]).toEqual([[1000, 1000], 100])
  })

  it('of many, of one payer too, and at once, settles nothing twice', async () => {
    const { id: student } = await w.student()
    const invoice = await m.invoice(student, [[1000, 5]])
    const ids = await Promise.all(Array.from({ length: 6 }, () => m.transaction(student, 300)))
    await Promise.all([book(ids.slice(0, 4)), book(ids.slice(2)), book(ids)])
    expect([await m.stands(invoice), await m.wallet(student)]).toEqual([[1000, 1000], 800])
    const rows = await w.query<{ sum: number }>(
      'select sum(amount)::int as sum from transaction_allocations where invoice_id = $1',
      [invoice],
    )
    expect(rows).toEqual([{ sum: 1000 }])
  })

  it('keeps currencies apart; what was cancelled is not booked, what had expired is', async () => {
    const { id: student } = await w.student()
    const invoice = await m.invoice(student, [[1000, 5]])
    const dollars = await m.transaction(student, 300, { currency: 'USD' })
    const cancelled = await m.transaction(student, 300, { status: 'cancelled' })
    const expired = await m.transaction(student, 300, { status: 'expired' })
    const rejected = await m.transaction(student, 300, { status: 'rejected' })
    const made = await book([dollars, cancelled, expired, rejected])
    expect(made.map((one) => [one.booked, one.rest])).toEqual([
      [true, 300],
      [false, 0],
      [true, 0],
      [false, 0],
    ])
    expect([await m.stands(invoice), await m.wallet(student), await m.wallet(student, 'USD')]).toEqual([
      [300, 1000],
      0,
      300,
    ])
  })

  it('what was booked stays as it was, whoever writes', async () => {
    const { id: student } = await w.student()
    const id = await m.transaction(student, 300)
    await book([id])
    const { pool } = u.database
    for (const [change, code] of [
      ['amount = 1', 'transaction_booked_stays'],
      [`status = 'pending'`, 'transaction_ended'],
    ])
      await expect(pool.query(`update transactions set ${change} where id = $1`, [id])).rejects.toMatchObject({
        constraint: code,
      })
    await expect(
      pool.query('update installments set amount = amount + 1 where invoice_id = (select max(id) from invoices)'),
    ).rejects.toMatchObject({ constraint: 'installments_differ' })
  })
})
