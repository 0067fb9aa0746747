import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { cancelTransactions } from '../cancel.server.ts'
import { transactionsServer } from '../transactions.server.ts'
import { settledBy, type SettledLine } from './back.rules.ts'

describe('what a payment settles still', () => {
  const paid = (transaction_id: number, amount: number, invoice_id = 1): SettledLine => ({
    transaction_id,
    invoice_id,
    amount,
    refund_of: null,
  })
  const back = (transaction_id: number, refund_of: number, amount: number): SettledLine => ({
    transaction_id,
    invoice_id: 1,
    amount: -amount,
    refund_of,
  })
  it('is what neither went back nor into the wallet; what settled last went there first', () => {
    const lines = [paid(1, 600), paid(2, 400), paid(9, -300), paid(4, 100), back(5, 1, 50)]
    expect([1, 2, 4].map((id) => settledBy(id, lines))).toEqual([
      { settles: [{ invoice_id: 1, amount: 550 }], released: [] },
      // What was paid after the move is no part of it.
      { settles: [{ invoice_id: 1, amount: 100 }], released: [{ transaction_id: 9, amount: 300 }] },
      { settles: [{ invoice_id: 1, amount: 100 }], released: [] },
    ])
    expect(settledBy(1, [paid(1, 600), paid(1, 50, 2), paid(3, -600)])).toEqual({
      settles: [{ invoice_id: 2, amount: 50 }],
      released: [{ transaction_id: 3, amount: 600 }],
    })
  })
})

let u: TestUniversity
/** Another process of the same university. */
let other: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let cashier: Caller
let finance: Caller
beforeAll(async () => {
  u = await testUniversity([catalogueServer, ledgerServer, invoicesServer, transactionsServer])
  other = await testUniversity([catalogueServer, ledgerServer, invoicesServer, transactionsServer], {
    database: { ...u.database, drop: async () => {} },
  })
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  cashier = await u.as('cashier')
  finance = await u.as('finance_officer')
  ok(await cashier('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: 5000 }] }))
  await w.query(`insert into cash_shifts (number, cashier_id) values ('SX', $1)`, [finance.user_id])
  await w.query(
    `insert into cash_counts (shift_id, currency, opening) select id, 'EGP', 100000 from cash_shifts where number = 'SX'`,
  )
})
afterAll(async () => {
  if (u) expect((await verifyLedger(u.database.db)).findings).toEqual([])
  await other?.close()
  await u?.close()
})
const take = async (student: number, amount: number, more: object = {}, who = cashier) =>
  who('POST', '/cashier/take', { student_id: student, currency: 'EGP', amount, key: randomUUID(), ...more })
const refund = (id: number, more: object = {}) =>
  finance('POST', `/payments/refund/${id}`, { reason: 'Asked for', ...more })
const cancel = (id: number, who = finance) => who('POST', '/transactions/cancel-transaction', { id, reason: 'Mistake' })
const reverse = (id: number, who = finance) => who('POST', `/payments/reverse-invoice/${id}`, { reason: 'Mistake' })
/** Less is charged from now on. */
const lower = async (invoice: number, amount: number) => {
  const { lines, version } = ok(await finance('GET', `/payments/${invoice}`))
  const body = { lines: [{ id: lines[0].id, amount }], reason: 'Fewer hours', version }
  ok(await finance('POST', `/payments/edit-invoice/${invoice}`, body))
}

describe('what was paid and is not charged any more', () => {
  it('goes back out of the wallet: of a reversed invoice, and of one that charges less', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const { id } = ok(await take(student.id, 1000))
    ok(await reverse(invoice))
    expect(await m.wallet(student.id)).toBe(1000)
    ok(await refund(id))
    expect([await m.wallet(student.id), await m.stands(invoice)]).toEqual([0, [0, 0]])

    const other = await w.student()
    const second = await m.invoice(other.id, [[1000, 5]])
    const first = ok(await take(other.id, 600)).id
    const last = ok(await take(other.id, 400)).id
    await lower(second, 700)
    ok(await refund(last))
    expect([await m.wallet(other.id), await m.stands(second)]).toEqual([0, [600, 700]])
    ok(await refund(first))
    expect(await m.stands(second)).toEqual([0, 700])
  })

  it('leaves the wallet when the payment is cancelled, and only with what was of it', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const first = ok(await take(student.id, 600)).id
    const last = ok(await take(student.id, 400)).id
    await lower(invoice, 300)
    expect([await m.wallet(student.id), await m.stands(invoice)]).toEqual([700, [300, 300]])
    ok(await cancel(last))
    expect([await m.wallet(student.id), await m.stands(invoice)]).toEqual([300, [300, 300]])
    ok(await cancel(first))
    expect([await m.wallet(student.id), await m.stands(invoice)]).toEqual([0, [0, 300]])

    // What was spent since keeps it.
    const other = await w.student()
    const second = await m.invoice(other.id, [[500, 5]])
    const { id } = ok(await take(other.id, 500))
    ok(await reverse(second))
    const asked = { amount: 100, currency: 'EGP', reason: 'Asked for' }
    ok(await cashier('POST', `/payments/cash_back/${other.id}`, asked))
    expect(reasons(await cancel(id))).toEqual(['wallet_negative'])
    expect(await m.wallet(other.id)).toBe(400)
  })

  it('does not count as paid out of the wallet', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    ok(await take(student.id, 1000))
    ok(await reverse(invoice))
    await w.query(`insert into settings (key, value) values ('refund_limit_egp', '"5.00"')`)
    const out = (amount: number) =>
      cashier('POST', `/payments/cash_back/${student.id}`, { amount, currency: 'EGP', reason: 'Asked for' })
    expect([ok(await out(500)).state, ok(await out(1)).state]).toEqual(['paid', 'asked'])
    await w.query(`delete from settings where key = 'refund_limit_egp'`)
  })
})

describe('a refund that was entered by mistake', () => {
  const paidBack = async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const { id } = ok(await take(student.id, 1000))
    return { student, invoice, id, back: ok(await refund(id)).id }
  }
  const after = async ({ student, invoice }: { student: { id: number }; invoice: number }) => [
    await m.wallet(student.id),
    await m.stands(invoice),
  ]

  it('is cancelled: the invoice takes what it still charges, the rest is in the wallet', async () => {
    const head = await u.as('finance_officer')
    const whole = await paidBack()
    expect([reasons(await cancel(whole.back)), (await cancel(whole.back, cashier)).status]).toEqual([
      ['cancel_own_drawer'],
      403,
    ])
    expect(ok(await cancel(whole.back, head)).to_wallet).toBe(0)
    expect(await after(whole)).toEqual([0, [1000, 1000]])
    expect(reasons(await cancel(whole.back, head))).toEqual(['transaction_ended'])

    const less = await paidBack()
    await lower(less.invoice, 600)
    expect(ok(await cancel(less.back, head)).to_wallet).toBe(400)
    expect(await after(less)).toEqual([400, [600, 600]])
    // And it is the payment that it was: it goes back whole, or is cancelled whole.
    ok(await refund(less.id, { amount: 500 }))
    expect(await after(less)).toEqual([0, [500, 600]])

    const none = await paidBack()
    ok(await reverse(none.invoice))
    expect(ok(await cancel(none.back, head)).to_wallet).toBe(1000)
    expect(await after(none)).toEqual([1000, [0, 0]])
    ok(await cancel(none.id, head))
    expect(await after(none)).toEqual([0, [0, 0]])
  })

  it('is cancelled where somebody paid meanwhile, by as much as that leaves', async () => {
    const head = await u.as('finance_officer')
    const one = await paidBack()
    const later = ok(await take(one.student.id, 700)).id
    expect(ok(await cancel(one.back, head)).to_wallet).toBe(700)
    expect(await after(one)).toEqual([700, [1000, 1000]])
    // What came later is what is over.
    ok(await cancel(later, head))
    expect(await after(one)).toEqual([0, [1000, 1000]])
    // Of a part, and of what came out of the wallet too.
    const part = await paidBack()
    ok(await cancel(part.back, head))
    await lower(part.invoice, 900)
    expect(await after(part)).toEqual([100, [900, 900]])
    const back = ok(await refund(part.id, { amount: 300 })).id
    expect(await after(part)).toEqual([0, [700, 900]])
    await lower(part.invoice, 750)
    expect(ok(await cancel(back, head)).to_wallet).toBe(150)
    expect(await after(part)).toEqual([250, [750, 750]])
  })

  it('is cancelled once, while another process charges less: each comes before or after', async () => {
    const [head, officer] = [await u.as('finance_officer'), await other.signIn((await u.as('finance_officer')).user_id)]
    for (let i = 0; i < 4; i++) {
      const one = await paidBack()
      const { lines, version } = ok(await finance('GET', `/payments/${one.invoice}`))
      const body = { lines: [{ id: lines[0].id, amount: 600 }], reason: 'Fewer hours', version }
      const [first, second, edited] = await Promise.all([
        cancel(one.back, head),
        cancel(one.back, officer),
        officer('POST', `/payments/edit-invoice/${one.invoice}`, body),
      ])
      expect([first.status, second.status].toSorted()).toEqual([200, 409])
      expect(edited.status).toBe(200)
      expect(await after(one)).toEqual([400, [600, 600]])
    }
  })
})

describe('a press of the button', () => {
  it('gives a payment back once, however often it is sent', async () => {
    const student = await w.student()
    await m.invoice(student.id, [[1000, 5]])
    const { id } = ok(await take(student.id, 1000))
    const key = randomUUID()
    const both = await Promise.all([refund(id, { amount: 100, key }), refund(id, { amount: 100, key })])
    expect(new Set(both.map((one) => ok(one).receipt)).size).toBe(1)
    expect(reasons(await refund(id, { amount: 200, key }))).toEqual(['payment_key_used'])
    expect(ok(await finance('GET', `/transactions/${id}`)).refunded).toBe(100)
  })
})

describe('who works here and studies', () => {
  it('does nothing with the own money, nor acting as somebody else', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const { id } = ok(await take(student.id, 500))
    const { lines, version, installments } = ok(await finance('GET', `/payments/${invoice}`))
    await w.query(
      `insert into role_assignments (user_id, role_id) select $1, id from roles where key in ('finance_officer', 'cashier')`,
      [student.user_id],
    )
    await w.query(`insert into cash_shifts (number, cashier_id) values ('SY', $1)`, [student.user_id])
    const reason = 'For myself'
    const amount = 100
    const acts: readonly (readonly ['POST' | 'PUT', string, object])[] = [
      ['POST', '/cashier/take', { student_id: student.id, currency: 'EGP', amount, key: randomUUID() }],
      ['POST', '/credits/charge-credit', { id: student.id, amount, currency: 'EGP' }],
      ['POST', `/payments/cash_back/${student.id}`, { amount, currency: 'EGP', reason }],
      ['POST', `/payments/refund/${id}`, { reason }],
      ['POST', '/payments/refund', { id, reason }],
      ['POST', `/payments/direct_cash_back/${id}`, { reason }],
      ['POST', '/transactions/cancel-transaction', { id, reason }],
      [
        'POST',
        '/transactions/put',
        {
          student_id: student.id,
          bank_id: 1,
          currency: 'EGP',
          amount,
          paid_on: '2026-01-01',
          bank_reference: 'OWN-1',
        },
      ],
      ['POST', `/payments/edit-invoice/${invoice}`, { lines: [{ id: lines[0].id, amount }], reason, version }],
      ['PUT', `/payment/items/edit_amount/${lines[0].id}`, { amount, reason }],
      ['POST', `/payments/reverse-invoice/${invoice}`, { reason }],
      ['PUT', `/payments/due_date/${invoice}`, { due_date: '2050-01-01', reason }],
      ['POST', `/payments/installments/${invoice}`, { amount, due_date: '2050-01-01', reason }],
      ['POST', `/payments/installments/${invoice}/${installments[0].id}`, { due_date: '2050-01-01', reason }],
    ]
    const own = await u.signIn(student.user_id)
    for (const [method, path, body] of acts)
      expect([path, reasons(await own(method, path, body))]).toEqual([path, ['own_money']])
    // The one who really sits there counts, whoever is acted as.
    const acting = await u.actAs(finance.user_id, own)
    expect(reasons(await reverse(invoice, acting))).toEqual(['own_money'])
    expect([await m.stands(invoice), await m.wallet(student.id)]).toEqual([[500, 1000], 0])
    // A colleague's is no matter.
    const colleague = await w.student()
    ok(await own('POST', '/credits/charge-credit', { id: colleague.id, amount, currency: 'EGP' }))
  })

  it('and whoever took cash does not cancel it', async () => {
    await w.query(
      `insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'finance_officer'`,
      [cashier.user_id],
    )
    const both = await u.signIn(cashier.user_id)
    const student = await w.student()
    await m.invoice(student.id, [[1000, 5]])
    const { id } = ok(await take(student.id, 500, {}, both))
    expect(reasons(await cancel(id, both))).toEqual(['cancel_own_drawer'])
    ok(await cancel(id))
    // What is counted at this moment is not taken out of the drawer meanwhile.
    const late = ok(await take(student.id, 500, {}, both)).id
    const counting = await u.database.pool.connect()
    await counting.query('begin')
    await counting.query(`update cash_shifts set closed_at = now() where cashier_id = $1`, [cashier.user_id])
    const waiting = cancel(late)
    await sleep(300)
    await counting.query('commit')
    counting.release()
    expect(reasons(await waiting)).toEqual(['cancel_shift_closed'])
    await w.query(`update cash_shifts set closed_at = null where cashier_id = $1`, [cashier.user_id])
  })

  it('and whoever holds a payer waits for none of the transactions: payers come first', async () => {
    const student = await w.student()
    await m.invoice(student.id, [[1000, 5]])
    const { id } = ok(await take(student.id, 500))
    const holding = await u.database.pool.connect()
    await holding.query('begin')
    await holding.query(
      `select from payers where id = (select payer_id from transactions where id = $1) for no key update`,
      [id],
    )
    const waiting = cancel(id)
    const waits = () =>
      w.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
    await expect.poll(async () => (await waits()).length).toBe(1)
    await holding.query(`set local lock_timeout = '500ms'`)
    await holding.query('select from transactions where id = $1 for no key update', [id])
    await holding.query('commit')
    holding.release()
    ok(await waiting)
  })

  /** Payments of two students, the later student's first: by payers the one order, by transactions the other. */
  const crossed = async () => {
    const [early, late] = [await w.student(), await w.student()]
    const first = ok(await cashier('POST', '/credits/charge-credit', { id: late.id, amount: 100, currency: 'EGP' })).id
    const second = ok(
      await cashier('POST', '/credits/charge-credit', { id: early.id, amount: 100, currency: 'EGP' }),
    ).id
    const payers = [await m.payerOf(early.id), await m.payerOf(late.id)]
    expect([payers[0]! < payers[1]!, first < second]).toEqual([true, true])
    return { transactions: [first, second] as number[], payers: payers as number[] }
  }
  const cancelAll = (at: TestUniversity, ids: readonly number[]) => {
    const ctx = asSystem(at.services, 'test')
    return ctx.write((tx) => cancelTransactions(ctx, tx, ids, 'Mistake'))
  }

  it.each(['payers', 'transactions'] as const)(
    'and of several %s the one of the lower id is held first: who has it waits for none behind it',
    async (table) => {
      const held = await crossed()
      const [low, high] = held[table]
      const process = await u.database.pool.connect()
      const lock = (id: number) => process.query(`select from ${table} where id = $1 for no key update`, [id])
      await process.query('begin')
      await lock(low!)
      const waiting = cancelAll(u, held.transactions.toReversed())
      const waits = () =>
        w.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
      try {
        await expect.poll(async () => (await waits()).length).toBe(1)
        await process.query(`set local lock_timeout = '500ms'`)
        await lock(high!)
      } finally {
        await process.query('rollback')
        process.release()
      }
      await waiting
    },
  )

  it('and two processes that cancel in opposite orders wait for each other in no ring', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await crossed(), await crossed()]
      const mixed = [
        [one.transactions[0]!, two.transactions[1]!],
        [two.transactions[0]!, one.transactions[1]!],
      ]
      await Promise.all([cancelAll(u, mixed[0]!), cancelAll(other, mixed[1]!.toReversed())])
    }
    const left = await w.query(`select from payer_balances where wallet <> 0 and payer_id in (
      select payer_id from transactions where purpose = 'charge' and reason = 'Mistake')`)
    expect(left).toEqual([])
  })

  it('and who opened or counted a drawer as somebody else does not review it', async () => {
    const [head, other] = [await u.as('finance_head'), await u.as('finance_head')]
    for (const acted of ['open', 'close']) {
      const clerk = await u.as('cashier')
      const acting = await u.actAs(clerk.user_id, head)
      ok(
        await (acted === 'open' ? acting : clerk)('POST', '/cashier/shift/open', {
          opening: [{ currency: 'EGP', amount: 500 }],
        }),
      )
      const { id } = ok(
        await (acted === 'close' ? acting : clerk)('POST', '/cashier/shift/close', {
          counted: [{ currency: 'EGP', amount: 400 }],
          note: 'A hundred short',
        }),
      )
      const review = (who: Caller) => who('POST', `/cashier/shifts/review/${id}`, { note: 'Looked for it together' })
      expect(ok(await head('GET', `/cashier/shifts/${id}`)).abilities).toEqual([])
      expect(reasons(await review(head))).toEqual(['shift_review_own'])
      ok(await review(other))
    }
  })
})

describe('somebody who had two records', () => {
  it('pays what either owes, from what either holds', async () => {
    const [student, gone] = [await w.student(), await w.student()]
    const one = await m.invoice(student.id, [[1000, 5]])
    const other = await m.invoice(gone.id, [[2000, -5]])
    ok(await cashier('POST', '/credits/charge-credit', { id: gone.id, amount: 300, currency: 'EGP' }))
    await w.query(`update payers set student_id = $1 where student_id = $2`, [student.id, gone.id])
    await w.query(`update student_holds set student_id = $1 where student_id = $2`, [student.id, gone.id])
    expect(reasons(await take(student.id, 3001))).toEqual(['payment_more_than_owed'])
    const paid = ok(await take(student.id, 2500))
    expect(paid.settled).toEqual([
      { invoice_id: other, amount: 2000 },
      { invoice_id: one, amount: 500 },
    ])
    expect(await m.holds(student.id)).toEqual([])
    ok(await student.as('POST', `/payments/pay_from_wallet/${one}`, { amount: 100 }))
    expect(await m.stands(one)).toEqual([600, 1000])
    const cash = { amount: 200, currency: 'EGP', reason: 'Asked for' }
    ok(await cashier('POST', `/payments/cash_back/${student.id}`, cash))
    ok(await refund(paid.id, { amount: 2100 }))
    expect([await m.stands(one), await m.stands(other)]).toEqual([
      [100, 1000],
      [400, 2000],
    ])
    expect(await m.holds(student.id)).toHaveLength(1)
    // Two at once, one for each record: what is owed is settled once.
    const at = await Promise.all([take(student.id, 2500), take(student.id, 2500)])
    expect(at.map((a) => a.status).toSorted()).toEqual([200, 409])
  })
})
