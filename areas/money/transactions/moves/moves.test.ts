import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { transactionsServer } from '../transactions.server.ts'
import { checkReview } from '../desk/shift.rules.ts'
import { checkCancel, checkRefund, takenFrom } from './back.rules.ts'
import { isReleased, moveWord } from './words.rules.ts'

describe('words', () => {
  it('what is not charged any more goes into the wallet, and is not called an invoice that was paid, or money paid out', () => {
    expect([moveWord({ kind: 'wallet', amount: 500 }), moveWord({ kind: 'wallet', amount: -500 })]).toEqual([
      'released',
      'wallet',
    ])
    expect(moveWord({ kind: 'payment', amount: 500 })).toBe('payment')
    expect(isReleased({ purpose: 'cash_back', way: 'wallet' })).toBe(true)
    expect(isReleased({ purpose: 'cash_back', way: 'cash' })).toBe(false)
    expect(isReleased({ purpose: 'payment', way: 'wallet' })).toBe(false)
  })
})

describe('what goes back', () => {
  const paid = {
    currency: 'EGP',
    amount: 1000,
    refunded: 0,
    status: 'paid',
    direction: 'in',
    purpose: 'payment',
    wallet: 0,
    settles: [],
  } as const
  const settles = [
    { invoice_id: 1, amount: 600 },
    { invoice_id: 2, amount: 300 },
  ]
  it.each([
    [
      'all of it, wallet first',
      { ...paid, settles, wallet: 100 },
      1000,
      {
        wallet: 100,
        allocations: [
          [2, 300],
          [1, 600],
        ],
      },
    ],
    ['a part', { ...paid, settles, wallet: 100 }, 250, { wallet: 100, allocations: [[2, 150]] }],
    [
      'what is in the wallet of another payment stays',
      { ...paid, settles: [{ invoice_id: 1, amount: 1000 }], wallet: 500 },
      400,
      { wallet: 0, allocations: [[1, 400]] },
    ],
  ] as const)('%s', (_name, of, amount, from) => {
    expect(checkRefund(of, amount)).toEqual([])
    const made = takenFrom(of, amount)!
    expect({ wallet: made.wallet, allocations: made.allocations.map((one) => [one.invoice_id, one.amount]) }).toEqual(
      from,
    )
  })
  it.each([
    ['more than was paid', { ...paid, settles, wallet: 100 }, 1001, 'refund_too_much'],
    ['more than is left', { ...paid, settles, wallet: 100, refunded: 900 }, 101, 'refund_too_much'],
    ['what was spent', { ...paid, settles, wallet: 99 }, 1000, 'refund_spent'],
    ['what is not paid', { ...paid, settles, wallet: 100, status: 'pending' }, 10, 'refund_not_paid'],
    ['what went out', { ...paid, settles, wallet: 100, direction: 'out' }, 10, 'refund_not_paid'],
  ] as const)('not %s', (_name, of, amount, code) => {
    expect(checkRefund(of, amount).map((one) => one.code)).toEqual([code])
  })
  it('cancelling is for what was entered here, and is whole', () => {
    const of = { status: 'paid', refunded: 0, way: 'cash', shift_closed: false, batch: false }
    const codes = (more: Partial<typeof of>) => checkCancel({ ...of, ...more }).map((one) => one.code)
    expect(codes({})).toEqual([])
    expect(codes({ status: 'cancelled' })).toEqual(['transaction_ended'])
    expect(codes({ refunded: 5 })).toEqual(['cancel_refunded'])
    expect(codes({ way: 'card' })).toEqual(['cancel_by_refund'])
    expect(codes({ way: 'card', status: 'pending' })).toEqual([])
    expect(codes({ shift_closed: true, batch: true })).toEqual(['cancel_shift_closed', 'cancel_batch'])
  })
})

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let cashier: Caller
let finance: Caller
let elsewhere: Caller
beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, ledgerServer, invoicesServer, transactionsServer])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  cashier = await u.as('cashier')
  finance = await u.as('finance_officer', ['faculty', w.faculty])
  elsewhere = await u.as('cashier', ['faculty', w.otherFaculty])
  ok(await cashier('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: 5000 }] }))
})
afterAll(() => u?.close())
const take = (student: number, amount: number, more: object = {}, who = cashier) =>
  who('POST', '/cashier/take', { student_id: student, currency: 'EGP', amount, key: randomUUID(), ...more })
const drawer = async (who = cashier) =>
  ok(await who('GET', '/cashier/shift')).drawers.find((one: any) => one.currency === 'EGP')

describe('the cashier', () => {
  it('finds who pays by code, name, invoice; takes what is due, the oldest first, with a receipt without gaps', async () => {
    const student = await w.student()
    const late = await m.invoice(student.id, [[1000, -5]])
    const later = await m.invoice(student.id, [[2000, 30]])
    const [{ code, number }] = (await w.query(
      `select s.code, i.number from students s, invoices i where s.id = $1 and i.id = $2`,
      [student.id, late],
    )) as [{ code: string; number: string }]
    for (const text of [code, number]) {
      const found = ok(await cashier('POST', '/cashier/find', { text }))
      expect(found.map((one: any) => [one.student.id, one.invoices.map((i: any) => [i.id, i.open])])).toEqual([
        [
          student.id,
          [
            [late, 1000],
            [later, 2000],
          ],
        ],
      ])
    }
    expect(ok(await elsewhere('POST', '/cashier/find', { text: code }))).toEqual([])
    const first = ok(await take(student.id, 1500))
    expect(first).toMatchObject({
      wallet: 0,
      settled: [
        { invoice_id: late, amount: 1000 },
        { invoice_id: later, amount: 500 },
      ],
      // Of 3000: what is left is said at once.
      owed: 1500,
    })
    const second = ok(await take(student.id, 100, { invoice_ids: [later] }))
    expect(second.owed).toBe(1400)
    expect(Number(second.receipt.slice(-6))).toBe(Number(first.receipt.slice(-6)) + 1)
    const file = await cashier('GET', `/transactions/receipt/${first.id}?lang=ar`)
    expect(Buffer.from(file.bytes).subarray(0, 5).toString()).toBe('%PDF-')
    const waiting = await m.transaction(student.id, 100)
    expect(reasons(await cashier('GET', `/transactions/receipt/${waiting}?lang=ar`))).toEqual(['receipt_not_booked'])
  })

  it('takes a press of the button once, and never more than is owed unless it goes into the wallet', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const key = randomUUID()
    const both = await Promise.all([take(student.id, 400, { key }), take(student.id, 400, { key })])
    expect(both.map((one) => one.status)).toEqual([200, 200])
    expect(new Set(both.map((one) => one.body.data.receipt)).size).toBe(1)
    expect(both.map((one) => one.body.data.owed)).toEqual([600, 600])
    expect(await m.stands(invoice)).toEqual([400, 1000])
    expect(reasons(await take(student.id, 500, { key }))).toEqual(['payment_key_used'])
    expect(reasons(await take(student.id, 700))).toEqual(['payment_more_than_owed'])
    // Two cashiers at one invoice: the second is told.
    const other = await u.as('cashier')
    ok(await other('POST', '/cashier/shift/open', {}))
    const at = await Promise.all([take(student.id, 600), take(student.id, 600, {}, other)])
    expect(at.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(ok(await take(student.id, 50, { to_wallet: true }))).toMatchObject({ wallet: 50, owed: 0 })
    expect([await m.stands(invoice), await m.wallet(student.id)]).toEqual([[1000, 1000], 50])
  })

  it('pays out no more than the drawer holds, also at the same moment, and cancels no receipt that went out again', async () => {
    const one = await u.as('cashier')
    const student = await w.student()
    ok(await one('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: 100 }] }))
    const { id } = ok(await take(student.id, 1000, { to_wallet: true }, one))
    const out = (amount: number) =>
      one('POST', `/payments/cash_back/${student.id}`, {
        amount,
        currency: 'EGP',
        reason: 'Asked for',
        key: randomUUID(),
      })
    ok(await take(student.id, 5000, { to_wallet: true }))
    const refused = await out(1101)
    expect(refused.status).toBe(409)
    expect(refused.body.error.en.replace(/\s/g, ' ')).toBe('The drawer does not hold so much: EGP 11.00 are in it.')
    const both = await Promise.all([out(600), out(600)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect((await drawer(one)).expected).toBe(500)
    // The receipt of 1000 is half of what went out: it is given back another way.
    expect(reasons(await finance('POST', '/transactions/cancel-transaction', { id, reason: 'Mistake' }))).toEqual([
      'cash_drawer_empty',
    ])
    await expect(
      w.query(
        `insert into transactions (payer_id, direction, way, purpose, currency, amount, status, shift_id, receipt, entry_id, booked_on, paid_at)
        select payer_id, 'out', 'cash', 'cash_back', 'EGP', 501, 'paid', shift_id, 'R-X', entry_id, booked_on, now() from transactions where id = $1`,
        [id],
      ),
    ).rejects.toThrow('does not hold')
    expect((await drawer(one)).expected).toBe(500)
  })

  it('has one drawer, takes nothing without, and closes it by a count that is explained', async () => {
    const one = await u.as('cashier')
    const student = await w.student()
    await m.invoice(student.id, [[1000, 5]])
    expect(reasons(await take(student.id, 100, {}, one))).toEqual(['cash_shift_none'])
    const counted = [{ currency: 'EGP', amount: 0 }]
    expect(reasons(await one('POST', '/cashier/shift/close', { counted }))).toEqual(['cash_shift_none'])
    ok(await one('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: 700 }] }))
    expect(reasons(await one('POST', '/cashier/shift/open', {}))).toEqual(['cash_shift_open@cashier_id'])
    const taken = ok(await take(student.id, 300, {}, one))
    expect(await drawer(one)).toMatchObject({ opening: 700, taken: 300, expected: 1000 })
    expect(reasons(await one('POST', '/cashier/shift/close', { counted: [{ currency: 'USD', amount: 0 }] }))).toEqual([
      'cash_not_counted@counted',
    ])
    expect(reasons(await one('POST', '/cashier/shift/close', { counted: [{ currency: 'EGP', amount: 990 }] }))).toEqual(
      ['cash_difference_why@note'],
    )
    const closed = ok(
      await one('POST', '/cashier/shift/close', { counted: [{ currency: 'EGP', amount: 990 }], note: 'Ten short' }),
    )
    expect(closed.drawers[0]).toMatchObject({ counted: 990, expected: 1000 })
    const [short] = await w.query<{ amount: number }>(
      `select q.amount::int as amount from ledger_postings q join ledger_accounts a on a.id = q.account_id and a.role = 'cash_difference'
       join ledger_entries e on e.id = q.entry_id where e.source = $1`,
      [`cash_shift:${closed.id}:EGP`],
    )
    expect(short).toEqual({ amount: 10 })
    expect(
      reasons(await finance('POST', '/transactions/cancel-transaction', { id: taken.id, reason: 'Mistake' })),
    ).toEqual(['cancel_shift_closed'])
    expect((await one('POST', '/cashier/shifts', {})).status).toBe(403)
    // Of one faculty alone nobody sees drawers, into which students of all pay.
    expect((await finance('POST', '/cashier/shifts', {})).status).toBe(403)
    expect((await finance('GET', `/cashier/shifts/${closed.id}`)).status).toBe(403)
    const head = await u.as('finance_officer')
    expect(ok(await head('POST', '/cashier/shifts', { open: false })).map((s: any) => s.id)).toContain(closed.id)
    const seen = ok(await head('GET', `/cashier/shifts/${closed.id}`))
    expect(seen.receipts.map((r: any) => r.id)).toEqual(
      seen.receipts.map((r: any) => r.id).toSorted((a: number, b: number) => a - b),
    )
    const differs = seen.drawers.some((d: any) => d.counted !== d.expected)
    expect(seen.abilities).toEqual(differs ? ['review'] : [])
    const note = { note: 'Counted again together' }
    expect((await one('POST', `/cashier/shifts/review/${closed.id}`, note)).status).toBe(403)
    // Nor in the name of somebody else who may.
    const inTheName = await u.signIn(head.user_id)
    await w.query('update sessions set impersonator_id = $1 where user_id = $2', [one.user_id, head.user_id])
    expect(reasons(await inTheName('POST', `/cashier/shifts/review/${closed.id}`, note))).toEqual(['shift_review_own'])
    await w.query('update sessions set impersonator_id = null where user_id = $1', [head.user_id])
    // What differs waits on the home of who reviews it, until it is reviewed.
    const waits = async () => JSON.stringify(ok(await head('GET', '/users/work'))).includes('transactions.work_drawers')
    expect(await waits()).toBe(true)
    const answer = await head('POST', `/cashier/shifts/review/${closed.id}`, note)
    expect(await waits()).toBe(answer.status !== 200)
    if (differs) {
      expect(ok(answer).review.note).toBe('Counted again together')
      expect(reasons(await head('POST', `/cashier/shifts/review/${closed.id}`, note))).toEqual(['shift_review_stays'])
      await expect(
        w.query(`update cash_shifts set review_note = 'Another' where id = $1`, [closed.id]),
      ).rejects.toThrow('stays')
    } else expect(reasons(answer)).toEqual(['shift_no_difference'])
    expect((await head('GET', '/cashier/shifts/999999')).status).toBe(404)
    // The end-of-day sheet, in both languages, is for whoever reviews drawers.
    for (const lang of ['ar', 'en']) {
      const sheet = await head('GET', `/cashier/shifts/sheet/${closed.id}?lang=${lang}`)
      expect([sheet.status, Buffer.from(sheet.bytes).subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    expect((await head('GET', '/cashier/shifts/sheet/999999')).status).toBe(404)
    for (const other of [one, finance])
      expect((await other('GET', `/cashier/shifts/sheet/${closed.id}`)).status).toBe(403)
  })

  it('pays nothing out of a wallet while money is overdue that it could settle', async () => {
    const student = await w.student()
    ok(await cashier('POST', '/credits/charge-credit', { id: String(student.id), amount: 1000, currency: 'EGP' }))
    const invoice = await m.invoice(student.id, [[400, -3]])
    const out = (amount: number) =>
      cashier('POST', `/payments/cash_back/${student.id}`, { amount, currency: 'EGP', reason: 'Asked for' })
    // As much as any: who asks for more than the wallet holds is told that, whoever would have to approve it.
    expect(reasons(await out(99_000_000))).toEqual(['wallet_negative'])
    const late = await out(500)
    expect([late.status, reasons(late)]).toEqual([409, ['wallet_overdue']])
    ok(await student.as('POST', `/payments/pay_from_wallet/${invoice}`, {}))
    // Once is enough.
    const again = await student.as('POST', `/payments/pay_from_wallet/${invoice}`, {})
    expect([again.status, reasons(again)]).toEqual([409, ['invoice_nothing_open']])
    expect(await m.wallet(student.id)).toBe(600)
    ok(await out(500))
  })

  it.each([
    ['POST', '/payments/cash_back/999999', { amount: 1, currency: 'EGP', reason: 'Asked for' }],
    ['POST', '/credits/charge-credit', { id: 999_999, amount: 1, currency: 'EGP' }],
    ['POST', '/cashier/take', { applicant_id: 999_999, currency: 'EGP', amount: 1, key: randomUUID() }],
    ['GET', '/credits/999999', undefined],
    ['GET', '/transactions/999999', undefined],
  ] as const)('%s %s of nobody is not there', async (method, path, body) => {
    const answer = await cashier(method, path, body)
    expect([answer.status, reasons(answer)]).toEqual([404, ['not_found']])
  })

  it('charges a wallet, and pays out of it no more than it holds, from two sides at once', async () => {
    const student = await w.student()
    ok(await cashier('POST', '/credits/charge-credit', { id: String(student.id), amount: 1000, currency: 'EGP' }))
    expect(await m.wallet(student.id)).toBe(1000)
    const before = await drawer()
    const out = (amount: number) =>
      cashier('POST', `/payments/cash_back/${student.id}`, { amount, currency: 'EGP', reason: 'Asked for' })
    const both = await Promise.all([out(700), out(700)])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 422])
    expect(reasons(both.find((one) => one.status === 422)!)).toEqual(['wallet_negative'])
    expect([await m.wallet(student.id), (await drawer()).expected]).toEqual([300, before.expected - 700])
    const shown = ok(
      await student
        .as('GET', `/credits/${student.id}`)
        .then((a) => (a.status === 403 ? cashier('GET', `/credits/${student.id}`) : a)),
    )
    expect(shown.moves.map((one: any) => [one.amount, one.after])).toEqual([
      [-700, 300],
      [1000, 1000],
    ])
    // Spent on an invoice by the student.
    const invoice = await m.invoice(student.id, [[500, 5]])
    const little = await m.invoice(student.id, [[200, 1]])
    expect(reasons(await student.as('POST', `/payments/pay_from_wallet/${little}`, { amount: 201 }))).toEqual([
      'payment_more_than_owed',
    ])
    ok(await student.as('POST', `/payments/pay_from_wallet/${invoice}`, {}))
    expect([await m.stands(invoice), await m.wallet(student.id)]).toEqual([[300, 500], 0])
    expect(reasons(await student.as('POST', `/payments/pay_from_wallet/${invoice}`, {}))).toEqual(['wallet_negative'])
    const other = await w.student()
    expect((await other.as('POST', `/payments/pay_from_wallet/${invoice}`, {})).status).toBe(404)
  })
})

describe('a difference of a drawer', () => {
  it('is reviewed once it is closed, once, and by somebody else', () => {
    const of = { closed: true, differs: true, reviewed: false, own: false }
    const codes = (more: Partial<typeof of>) => checkReview({ ...of, ...more }).map((one) => one.code)
    expect(codes({})).toEqual([])
    expect(codes({ closed: false })).toEqual(['shift_not_closed'])
    expect(codes({ differs: false })).toEqual(['shift_no_difference'])
    expect(codes({ reviewed: true, own: true })).toEqual(['shift_review_stays', 'shift_review_own'])
  })
})

describe('a press of the button', () => {
  it('charges a wallet and pays out of it once, however often it is sent', async () => {
    const student = await w.student()
    const key = randomUUID()
    const charge = (amount: number) =>
      cashier('POST', '/credits/charge-credit', { id: student.id, amount, currency: 'EGP', key })
    const both = await Promise.all([charge(1000), charge(1000)])
    expect(both.map((one) => ok(one).receipt)).toEqual([ok(both[0]).receipt, ok(both[0]).receipt])
    expect(ok(await charge(1000)).id).toBe(ok(both[0]).id)
    expect(await m.wallet(student.id)).toBe(1000)
    expect(reasons(await charge(900))).toEqual(['payment_key_used'])
    const other = await w.student()
    expect(
      reasons(await cashier('POST', '/credits/charge-credit', { id: other.id, amount: 1000, currency: 'EGP', key })),
    ).toEqual(['payment_key_used'])
    const again = randomUUID()
    const back = () =>
      cashier('POST', `/payments/cash_back/${student.id}`, {
        amount: 400,
        currency: 'EGP',
        reason: 'Asked for',
        key: again,
      })
    const paid = await Promise.all([back(), back(), back()])
    expect(new Set(paid.map((one) => ok(one).receipt)).size).toBe(1)
    expect(await m.wallet(student.id)).toBe(600)
    // Without a key each is one of its own.
    ok(
      await cashier('POST', `/payments/cash_back/${student.id}`, { amount: 100, currency: 'EGP', reason: 'Asked for' }),
    )
    ok(
      await cashier('POST', `/payments/cash_back/${student.id}`, { amount: 100, currency: 'EGP', reason: 'Asked for' }),
    )
    expect(await m.wallet(student.id)).toBe(400)
  })
})

describe('a payment', () => {
  it('goes back: the invoice is open again, twice is refused, and who may not does nothing', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, -1]])
    const { id } = ok(await take(student.id, 1200, { to_wallet: true }))
    expect(await m.holds(student.id)).toEqual([])
    expect((await cashier('POST', `/payments/refund/${id}`, { reason: 'Not mine to do' })).status).toBe(403)
    const far = await u.as('finance_officer', ['faculty', w.otherFaculty])
    expect((await far('POST', `/payments/refund/${id}`, { reason: 'Elsewhere' })).status).toBe(404)
    expect(reasons(await finance('POST', `/payments/refund/${id}`, { amount: 1201, reason: 'Too much' }))).toEqual([
      'refund_too_much',
    ])
    // Who keeps no drawer asks for what goes back in cash: a cashier pays it out.
    const asked = ok(await finance('POST', `/payments/refund/${id}`, { amount: 500, reason: 'No drawer' }))
    expect(asked).toMatchObject({ id: null, state: 'asked' })
    ok(await finance('POST', `/payments/refunds/${asked.request_id}/withdraw`, {}))
    const desk = await u.as('finance_officer', ['faculty', w.faculty])
    await w.query(`insert into cash_shifts (number, cashier_id) values ('SX', $1)`, [desk.user_id])
    await w.query(
      `insert into cash_counts (shift_id, currency, opening) select id, 'EGP', 100000 from cash_shifts where number = 'SX'`,
    )
    const back = ok(await desk('POST', `/payments/refund/${id}`, { amount: 500, reason: 'Left the course' }))
    expect([await m.stands(invoice), await m.wallet(student.id), await m.holds(student.id)]).toMatchObject([
      [700, 1000],
      0,
      { length: 1 },
    ])
    // Who entered it is named in the language of who reads.
    expect(ok(await finance('GET', `/transactions/${id}`)).by).toHaveProperty('name_local')
    expect(ok(await finance('GET', `/transactions/${id}`))).toMatchObject({
      refunded: 500,
      refunds: [{ id: back.id, amount: 500 }],
    })
    const both = await Promise.all(
      [1, 2].map(() => desk('POST', `/payments/refund/${id}`, { amount: 700, reason: 'At once' })),
    )
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(await m.stands(invoice)).toEqual([0, 1000])
  })

  it('is cancelled with a reason: everything as before, and not twice', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const { id } = ok(await take(student.id, 1000))
    const before = await drawer()
    expect((await cashier('POST', '/transactions/cancel-transaction', { id, reason: 'Mistake' })).status).toBe(403)
    ok(await finance('POST', '/transactions/cancel-transaction', { id: String(id), reason: 'Wrong student' }))
    expect([await m.stands(invoice), (await drawer()).expected]).toEqual([[0, 1000], before.expected - 1000])
    expect(reasons(await finance('POST', '/transactions/cancel-transaction', { id, reason: 'Again' }))).toEqual([
      'transaction_ended',
    ])
    const listed = await finance('POST', '/transactions', { filters: { status: ['cancelled'] } })
    expect(listed.body.data.map((one: any) => one.id)).toContain(id)
    // What is in the wallet and was spent keeps a payment from being cancelled.
    const rich = await w.student()
    const charged = ok(await cashier('POST', '/credits/charge-credit', { id: rich.id, amount: 100, currency: 'EGP' }))
    ok(await cashier('POST', `/payments/cash_back/${rich.id}`, { amount: 60, currency: 'EGP', reason: 'Asked for' }))
    expect(
      reasons(await finance('POST', '/transactions/cancel-transaction', { id: charged.id, reason: 'Mistake' })),
    ).toEqual(['wallet_negative'])
    expect((await student.as('POST', '/transactions/export-transactions', {})).status).toBe(403)
    expect((await finance('POST', '/transactions/export-transactions', {})).status).toBe(200)
    expect((await elsewhere('POST', '/transactions', {})).body.meta.count).toBe(0)
  })
})

describe('the account of a student', () => {
  it('the home tells what is overdue and what is due within two weeks, of each currency, to the student alone', async () => {
    const [student, other] = [await w.student(), await w.student()]
    const work = async (who: Caller) =>
      ok(await who('GET', '/users/work')).waiting.filter((one: any) => one.link === '/student-payments')
    await m.invoice(student.id, [[70_000, 15]])
    expect(await work(student.as)).toEqual([])
    await m.invoice(student.id, [
      [10_050, -3],
      [20_000, 10],
      [5000, 40],
    ])
    await m.invoice(student.id, [[9900, 14]], 'USD')
    const of = (waiting: any[]) => waiting.map((one) => [one.key, one.data.amount, !!one.since, !!one.until])
    expect(of(await work(student.as))).toEqual([
      ['transactions.work_overdue', '100.50 EGP', true, false],
      ['transactions.work_due', '200.00 EGP', false, true],
      ['transactions.work_due', '99.00 USD', false, true],
    ])
    expect(await work(other.as)).toEqual([])
    expect(await work(cashier)).toEqual([])
    // A part of it is settled, the earliest first.
    ok(await take(student.id, 12_000))
    expect(of(await work(student.as)).slice(0, 2)).toEqual([
      ['transactions.work_due', '180.50 EGP', false, true],
      ['transactions.work_due', '99.00 USD', false, true],
    ])
  })
  it('says what is open by when it is due, what was charged and paid, and what is in the wallet; to nobody else', async () => {
    const student = await w.student()
    const other = await w.student()
    const later = await m.invoice(student.id, [[1000, 40]])
    const first = await m.invoice(student.id, [
      [600, -3],
      [400, 30],
    ])
    const paid = await m.invoice(student.id, [[300, 1]])
    const invoices = [first, later, paid]
    ok(await take(student.id, 300, { invoice_ids: [paid] }))
    ok(await take(student.id, 700, { invoice_ids: [first] }))
    ok(await cashier('POST', '/credits/charge-credit', { id: student.id, amount: 50, currency: 'EGP' }))
    const own = ok(await student.as('GET', `/student-payments/${student.id}`))
    expect(own.open.map((one: any) => [one.id, one.open, one.state])).toEqual([
      [first, 300, 'partially_paid'],
      [later, 1000, 'unpaid'],
    ])
    expect(own.open[0].installments.map((one: any) => [one.amount, one.settled, one.overdue])).toEqual([
      [600, 600, false],
      [400, 100, false],
    ])
    expect(own.open[0].lines.map((one: any) => one.amount)).toEqual([1000])
    expect(own.issued.map((one: any) => one.id).toSorted()).toEqual(invoices.toSorted())
    expect(own.transactions.map((one: any) => [one.purpose, one.amount])).toEqual([
      ['charge', 50],
      ['payment', 700],
      ['payment', 300],
    ])
    expect(own.wallet.balances).toEqual([{ currency: 'EGP', wallet: 50, owed: 1300, deposit: 0 }])
    expect(own.wallet.moves).toMatchObject([
      { kind: 'charge', amount: 50, after: 50, number: expect.stringMatching(/^R-/) },
    ])
    const about = async (who: Caller) => (await who('GET', `/student-payments/${student.id}`)).status
    expect([await about(other.as), await about(elsewhere), await about(finance)]).toEqual([404, 404, 200])
  })
})
