/** Refunds with a second person, through HTTP: asked, approved, paid out; nothing twice, and the wrong person nothing. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { bookTransactions } from '../book.server.ts'
import {
  checkDecide,
  checkPayOut,
  checkRefund,
  checkWithdraw,
  needsSecondPerson,
  refundHappened,
} from '../moves/back.rules.ts'
import { transactionsServer } from '../transactions.server.ts'

describe('rules', () => {
  it('a second person is needed above the limit, and many small ones are one large one', () => {
    expect(needsSecondPerson(null, 0, 1_000_000)).toBe(false)
    expect(needsSecondPerson(500, 0, 500)).toBe(false)
    expect(needsSecondPerson(500, 0, 501)).toBe(true)
    expect(needsSecondPerson(500, 400, 101)).toBe(true)
  })
  it('who asked, and whose money it is, does not decide; what ended stays', () => {
    const of = { status: 'asked', asked_by: 1, student_user_id: 9 }
    const codes = (reasons: readonly { code: string }[]) => reasons.map((one) => one.code)
    expect(codes(checkDecide(of, [2]))).toEqual([])
    expect(codes(checkDecide(of, [2, 1]))).toEqual(['refund_own_request'])
    expect(codes(checkDecide(of, [9]))).toEqual(['refund_own_money'])
    expect(codes(checkDecide({ ...of, status: 'paid_out' }, [1]))).toEqual([
      'refund_request_ended',
      'refund_own_request',
    ])
    expect(codes(checkPayOut(of, [1]))).toEqual(['refund_not_approved'])
    expect(codes(checkPayOut({ ...of, status: 'approved' }, [1]))).toEqual([])
    expect(codes(checkPayOut({ ...of, status: 'approved' }, [9]))).toEqual(['refund_own_money'])
    expect(codes(checkPayOut({ ...of, status: 'rejected' }, [1]))).toEqual(['refund_request_ended'])
    expect(codes(checkWithdraw(of, [2]))).toEqual(['refund_not_own_request'])
    expect(codes(checkWithdraw({ ...of, status: 'approved' }, [1]))).toEqual([])
    for (const status of ['rejected', 'paid_out', 'withdrawn', 'cancelled'])
      expect(codes(checkWithdraw({ ...of, status }, [1]))).toEqual(['refund_request_ended'])
  })
  it('what is asked back is not there for others', () => {
    const of = {
      currency: 'EGP',
      amount: 1000,
      refunded: 0,
      status: 'paid',
      direction: 'in',
      purpose: 'payment',
      wallet: 400,
      settles: [{ invoice_id: 1, amount: 600 }],
    } as const
    const codes = (more: object, amount: number) => checkRefund({ ...of, ...more }, amount).map((one) => one.code)
    expect(codes({ asked: 300 }, 700)).toEqual([])
    expect(codes({ asked: 300 }, 701)).toEqual(['refund_too_much'])
    expect(codes({}, 0)).toEqual(['refund_too_much'])
  })
  it.each([
    ['stands whole', { done: 0 }, { status: 'paid' }, false],
    ['something went back, and nothing before', { done: 0 }, { status: 'refunded' }, true],
    ['how much went back: this as well', { done: 300 }, { status: 'refunded', refunded: 500 }, true],
    ['how much went back: not this', { done: 300 }, { status: 'refunded', refunded: 300 }, false],
    ['how much went back: something else', { done: 300 }, { status: 'refunded', refunded: 350 }, null],
    ['in part, as before', { done: 300 }, { status: 'refunded', whole: false }, null],
    ['whole, by the rest', { done: 800 }, { status: 'refunded', whole: true }, true],
    ['in part, where the rest would make it whole', { done: 800 }, { status: 'refunded', whole: false }, false],
    ['waiting', { done: 0 }, { status: 'waiting' }, null],
  ] as const)('a refund without an answer: the payment %s', (_name, of, says, is) => {
    expect(refundHappened({ payment: 1000, amount: 200, ...of }, { refunded: null, whole: null, ...says })).toBe(is)
  })
})

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let cashier: Caller & { user_id: number }
let officer: Caller & { user_id: number }
let head: Caller & { user_id: number }
beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, ledgerServer, invoicesServer, transactionsServer])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  cashier = (await u.as('cashier')) as never
  officer = (await u.as('finance_officer', ['faculty', w.faculty])) as never
  head = (await u.as('finance_head')) as never
  await w.query(`insert into settings (key, value, grouping) values ('refund_limit_egp', '"5"', 'payment'), ('refund_limit_usd', '""', 'payment')
    on conflict (key) do update set value = excluded.value`)
  ok(await cashier('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: 1_000_000 }] }))
  await w.query(`insert into cash_shifts (number, cashier_id) values ('SO', $1), ('SH', $2)`, [
    officer.user_id,
    head.user_id,
  ])
  await w.query(`insert into cash_counts (shift_id, currency, opening) select s.id, c.code, 1000000
    from cash_shifts s, currencies c where s.number in ('SO', 'SH')`)
  // Who may give back and pays nothing out of a drawer.
  await w.query(`with made as (insert into roles (key, name, name_local) values ('teller_of_banks', 'Banks', 'البنوك') returning id)
    insert into role_permissions (role_id, permission, reach) select id, 'refund_payment', 'scope' from made`)
})
afterAll(() => u?.close())

const take = async (student: number, amount: number) =>
  ok(
    await cashier('POST', '/cashier/take', {
      student_id: student,
      currency: 'EGP',
      amount,
      key: randomUUID(),
      to_wallet: true,
    }),
  ).id as number
const back = (id: number, amount?: number, who: Caller = officer, path = 'refund') =>
  who('POST', `/payments/${path}/${id}`, { ...(amount && { amount }), reason: 'Left the course' })
const step = (id: number, what: string, who: Caller, body: object = {}) =>
  who('POST', `/payments/refunds/${id}/${what}`, body)
const request = async (id: number) =>
  (
    await w.query(
      `select status, decided_by, transaction_id, from_wallet::int as from_wallet from refund_requests where id = $1`,
      [id],
    )
  )[0] as any
const proven = async () => (await verifyLedger(u.database.db)).findings

describe('above the limit', () => {
  it('is asked, approved by another person, and paid out at the desk with a receipt; below it goes at once', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[1000, 5]])
    const id = await take(student.id, 1000)
    expect(ok(await back(id, 300))).toMatchObject({ state: 'paid', request_id: null })
    // 300 went back already: 201 more is above 500.
    const asked = ok(await back(id, 201))
    expect(asked).toMatchObject({ id: null, state: 'asked' })
    expect(await m.stands(invoice)).toEqual([700, 1000])
    expect(ok(await officer('GET', `/transactions/${id}`))).toMatchObject({ refunded: 300, asked: 201 })
    // Counted: what is left cannot go elsewhere.
    expect(reasons(await back(id, 500))).toEqual(['refund_too_much'])
    expect(reasons(await officer('POST', '/transactions/cancel-transaction', { id, reason: 'Mistake' }))).toEqual([
      'cancel_asked_back',
      'cancel_refunded',
    ])
    const request_id = asked.request_id as number
    const awaited = async (who: Caller = student.as) =>
      ok(await who('GET', `/student-payments/${student.id}`)).refunds.map((one: any) => [
        one.amount,
        one.way,
        one.status,
      ])
    expect(await awaited()).toEqual([[201, 'cash', 'asked']])
    // The one who asked does not approve; who has no such right neither; nor is it paid out before.
    expect((await step(request_id, 'approve', officer)).status).toBe(403)
    expect(reasons(await step(request_id, 'pay_out', cashier))).toEqual(['refund_not_approved'])
    const waiting = ok(await head('GET', '/users/work'))
    expect(JSON.stringify(waiting)).toContain('transactions.work_refunds')
    const approved = ok(await step(request_id, 'approve', head))
    expect(approved).toMatchObject({ status: 'approved', decided_by: { id: head.user_id } })
    expect(reasons(await step(request_id, 'approve', head))).toEqual(['refund_request_ended'])
    expect(await m.stands(invoice)).toEqual([700, 1000])
    // Who may give back what came by the bank or a provider pays nothing out of a drawer.
    const teller = await u.as('teller_of_banks')
    const denied = await step(request_id, 'pay_out', teller)
    expect([denied.status, reasons(denied)]).toEqual([403, ['not_allowed']])
    expect((await request(request_id)).status).toBe('approved')
    // The student knows that it waits at the desk.
    expect(await awaited()).toEqual([[201, 'cash', 'approved']])
    const both = await Promise.all([step(request_id, 'pay_out', cashier), step(request_id, 'pay_out', cashier)])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(await m.stands(invoice)).toEqual([499, 1000])
    const [receipt] = await w.query<{ receipt: string }>(
      `select receipt from transactions where id = (select transaction_id from refund_requests where id = $1)`,
      [request_id],
    )
    expect(receipt!.receipt).toMatch(/^R-/)
    const told = async (user: number, key: string) =>
      (await w.query(`select from notifications where user_id = $1 and key = $2`, [user, key])).length
    expect(await told(officer.user_id, 'transactions.notice_refund_approved')).toBeGreaterThan(0)
    expect(await told(student.user_id, 'transactions.notice_paid_back')).toBeGreaterThan(0)
    expect(await told(student.user_id, 'transactions.notice_refund_at_desk')).toBe(1)
    expect(await told(student.user_id, 'transactions.notice_refund_by_bank')).toBe(0)
    expect(await awaited()).toEqual([])
    // Paid out is what was paid out: not before its transaction is cancelled it ends otherwise, and then for good.
    const turn = (status: string) =>
      w.query(`update refund_requests set status = $2 where id = $1`, [request_id, status])
    await expect(turn('cancelled')).rejects.toMatchObject({ constraint: 'refund_request_ended' })
    await expect(turn('approved')).rejects.toMatchObject({ constraint: 'refund_request_ended' })
    const { transaction_id } = await request(request_id)
    ok(
      await head('POST', '/transactions/cancel-transaction', {
        id: transaction_id,
        reason: 'Paid out to somebody else',
      }),
    )
    expect((await request(request_id)).status).toBe('cancelled')
    await expect(turn('paid_out')).rejects.toMatchObject({ constraint: 'refund_request_ended' })
    expect(reasons(await step(request_id, 'pay_out', cashier))).toEqual(['refund_request_ended'])
    expect(await proven()).toEqual([])
  })

  it('nobody approves the own, in the rule and in the database', async () => {
    const student = await w.student()
    const id = await take(student.id, 900)
    const { request_id } = ok(await back(id, 900, head))
    expect(reasons(await step(request_id, 'approve', head))).toEqual(['refund_own_request'])
    await expect(
      w.query(
        `update refund_requests set status = 'approved', decided_by = asked_by, decided_at = now() where id = $1`,
        [request_id],
      ),
    ).rejects.toThrow(/refund_own_request/)
    await expect(w.query(`update refund_requests set amount = 1 where id = $1`, [request_id])).rejects.toThrow(/stays/)
    await expect(
      w.query(`update refund_requests set status = 'paid_out', decided_by = $2, decided_at = now() where id = $1`, [
        request_id,
        officer.user_id,
      ]),
    ).rejects.toThrow(/asked to approved/)
    expect((await step(request_id, 'withdraw', officer)).body).toBeTruthy()
    expect(reasons(await step(request_id, 'withdraw', officer))).toEqual(['refund_not_own_request'])
    ok(await step(request_id, 'withdraw', head))
    expect((await request(request_id)).status).toBe('withdrawn')
    // It is there again.
    expect(ok(await back(id, 900, officer)).state).toBe('asked')
  })

  it('nor acting as another one, when it was asked or when it is approved', async () => {
    const student = await w.student()
    const acting = await u.actAs(officer.user_id, head)
    const { request_id } = ok(await back(await take(student.id, 900), 900, acting))
    expect(reasons(await step(request_id, 'approve', head))).toEqual(['refund_own_request'])
    const other = await u.as('finance_head')
    expect(reasons(await step(request_id, 'approve', await u.actAs(other.user_id, head)))).toEqual([
      'refund_own_request',
    ])
    await expect(
      w.query(`update refund_requests set status = 'approved', decided_by = $2, decided_at = now() where id = $1`, [
        request_id,
        head.user_id,
      ]),
    ).rejects.toThrow(/refund_own_request_really/)
    ok(await step(request_id, 'approve', other))
  })

  it('rejected with a reason, it is there again; the wrong person sees and does nothing', async () => {
    const student = await w.student()
    const id = await take(student.id, 900)
    const { request_id } = ok(await back(id, 900))
    const far = await u.as('finance_head', ['faculty', w.otherFaculty])
    expect((await far('GET', `/payments/refunds/${request_id}`)).status).toBe(404)
    for (const what of ['approve', 'pay_out', 'withdraw'])
      expect((await step(request_id, what, far)).status, what).toBe(404)
    expect((await step(request_id, 'reject', far, { reason: 'Elsewhere' })).status).toBe(404)
    expect((await far('POST', '/payments/refunds', {})).body.meta.count).toBe(0)
    expect((await student.as('POST', '/payments/refunds', {})).status).toBe(403)
    expect((await step(request_id, 'reject', head)).status).toBe(422)
    ok(await step(request_id, 'reject', head, { reason: 'Registered again' }))
    expect(reasons(await step(request_id, 'pay_out', cashier))).toEqual(['refund_request_ended'])
    expect(ok(await back(id, 400)).state).toBe('paid')
    expect((await step(request_id, 'approve', head, { version: 1 })).status).toBe(409)
  })

  it('of a wallet: what is asked stays there; several small ones are one', async () => {
    const student = await w.student()
    await take(student.id, 1000)
    const out = (amount: number) =>
      cashier('POST', `/payments/cash_back/${student.id}`, { amount, currency: 'EGP', reason: 'Asked for' })
    expect(ok(await out(300)).state).toBe('paid')
    const { request_id, state } = ok(await out(600))
    expect([state, await m.wallet(student.id)]).toEqual(['asked', 700])
    // Spent elsewhere: only what is not asked for.
    const invoice = await m.invoice(student.id, [[500, 5]])
    const [wrong] = [await student.as('POST', `/payments/pay_from_wallet/${invoice}`, { amount: 101 })]
    expect(reasons(wrong!)).toEqual(['wallet_reserved'])
    ok(await student.as('POST', `/payments/pay_from_wallet/${invoice}`, { amount: 100 }))
    ok(await step(request_id, 'approve', head))
    const paid = ok(await step(request_id, 'pay_out', cashier))
    expect([paid.status, await m.wallet(student.id)]).toEqual(['paid_out', 0])
    expect(await proven()).toEqual([])
  })

  it('of a wallet what went out in 30 days counts, and what is asked for; what came into it by a reversal does not', async () => {
    const student = await w.student()
    const payer = await m.payerOf(student.id)
    const invoice = await m.invoice(student.id, [[1000, 5]])
    await take(student.id, 2500)
    ok(await officer('POST', `/payments/reverse-invoice/${invoice}`, { reason: 'Left the university' }))
    expect(await m.wallet(student.id)).toBe(2500)
    const out = (amount: number) =>
      cashier('POST', `/payments/cash_back/${student.id}`, { amount, currency: 'EGP', reason: 'Asked for' })
    expect(ok(await out(300)).state).toBe('paid')
    /** As if what was paid out had been so many days ago. */
    const ago = async (days: number) => {
      await w.query('alter table transactions disable trigger keep_booked')
      await w.query(
        `update transactions set booked_on = university_today() - $2::int where payer_id = $1 and purpose = 'cash_back' and way = 'cash'`,
        [payer, days],
      )
      await w.query('alter table transactions enable trigger keep_booked')
    }
    await ago(29)
    const { request_id, state } = ok(await out(300))
    expect(state).toBe('asked')
    ok(await step(request_id, 'withdraw', cashier))
    await ago(30)
    const large = ok(await out(501))
    expect(large.state).toBe('asked')
    const small = ok(await out(100))
    expect(small.state).toBe('asked')
    for (const one of [large, small]) ok(await step(one.request_id, 'withdraw', cashier))
    expect(ok(await out(100)).state).toBe('paid')
  })

  it('of a payment what is asked for counts; without a limit of its currency nothing is asked', async () => {
    const student = await w.student()
    const id = await take(student.id, 1000)
    expect([ok(await back(id, 600)).state, ok(await back(id, 100)).state]).toEqual(['asked', 'asked'])
    const dollars = ok(
      await cashier('POST', '/cashier/take', {
        student_id: student.id,
        currency: 'USD',
        amount: 1000,
        key: randomUUID(),
        to_wallet: true,
      }),
    ).id as number
    expect(ok(await back(dollars, 900)).state).toBe('paid')
  })

  it('what is asked out of the wallet is left there: a refund is taken from what it settled', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[600, 5]])
    const id = await take(student.id, 1000)
    await take(student.id, 200)
    const out = await cashier('POST', `/payments/cash_back/${student.id}`, {
      amount: 600,
      currency: 'EGP',
      reason: 'Asked for',
    })
    expect(ok(out).state).toBe('asked')
    expect(ok(await back(id, 300)).state).toBe('paid')
    expect([await m.stands(invoice), await m.wallet(student.id)]).toEqual([[300, 600], 600])
  })

  it('what an invoice does not charge any more goes back out of the wallet', async () => {
    const student = await w.student()
    const [whole, part] = [await m.invoice(student.id, [[400, 5]]), await m.invoice(student.id, [[500, 6]])]
    const [first, second] = [await take(student.id, 700), await take(student.id, 200)]
    expect([await m.stands(whole), await m.stands(part)]).toEqual([
      [400, 400],
      [500, 500],
    ])
    ok(await officer('POST', `/payments/reverse-invoice/${whole}`, { reason: 'Left the university' }))
    expect(await m.wallet(student.id)).toBe(400)
    // The first paid 400 of the one and 300 of the other, the second the rest of that.
    expect(ok(await back(first, 450)).state).toBe('paid')
    expect([await m.wallet(student.id), await m.stands(part)]).toEqual([0, [450, 500]])
    expect(ok(await back(second, 200)).state).toBe('paid')
    expect(await m.stands(part)).toEqual([250, 500])
    expect(ok(await back(first, 50)).state).toBe('paid')
    expect(await m.stands(part)).toEqual([200, 500])
    expect(await proven()).toEqual([])
  })

  it('who looked at an older version, or at the own request in the name of somebody else, is refused', async () => {
    const student = await w.student()
    const { request_id } = ok(await back(await take(student.id, 900), 900))
    const { version } = ok(await head('GET', `/payments/refunds/${request_id}`))
    const inTheName = await u.signIn(head.user_id)
    await w.query('update sessions set impersonator_id = $1 where user_id = $2', [officer.user_id, head.user_id])
    expect(reasons(await step(request_id, 'approve', inTheName))).toEqual(['refund_own_request'])
    await w.query('update sessions set impersonator_id = null where user_id = $1', [head.user_id])
    ok(await step(request_id, 'approve', head, { version }))
    expect(reasons(await step(request_id, 'pay_out', cashier, { version }))).toEqual(['changed_meanwhile'])
    ok(await step(request_id, 'pay_out', cashier, { version: version + 1 }))
  })

  it('what was spent since it was asked for is not approved', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[900, 5]])
    const { request_id } = ok(await back(await take(student.id, 900), 900))
    ok(await officer('POST', `/payments/reverse-invoice/${invoice}`, { reason: 'By mistake' }))
    const other = await m.invoice(student.id, [[900, 5]])
    ok(await student.as('POST', `/payments/pay_from_wallet/${other}`, {}))
    expect(reasons(await step(request_id, 'approve', head))).toEqual(['refund_spent'])
    expect((await request(request_id)).status).toBe('asked')
  })

  it('two who ask at once, and who spends at once, get no more than there is', async () => {
    for (let n = 0; n < 4; n++) {
      const student = await w.student()
      const id = await take(student.id, 1000)
      const invoice = await m.invoice(student.id, [[1000, 5]])
      const answers = await Promise.all([
        back(id, 700),
        back(id, 700, head),
        student.as('POST', `/payments/pay_from_wallet/${invoice}`, { amount: 700 }),
        cashier('POST', `/payments/cash_back/${student.id}`, { amount: 700, currency: 'EGP', reason: 'At once' }),
      ])
      expect(answers.filter((one) => one.status === 200)).toHaveLength(1)
      expect(answers.every((one) => one.status < 500)).toBe(true)
    }
  })

  it('what was cancelled meanwhile is refused by the database too', async () => {
    const student = await w.student()
    const id = await take(student.id, 900)
    ok(await back(id, 900))
    await expect(w.query(`update transactions set status = 'cancelled' where id = $1`, [id])).rejects.toThrow(
      /asked back/,
    )
    await expect(
      w.query(
        `insert into transactions (payer_id, direction, way, purpose, currency, amount, refund_of) select payer_id, 'out', way, 'refund', currency, 1, id from transactions where id = $1`,
        [id],
      ),
    ).rejects.toThrow(/More than was paid/)
    await expect(
      w.query(
        `update payer_balances set wallet = 0 where payer_id = (select payer_id from transactions where id = $1)`,
        [id],
      ),
    ).rejects.toThrow(/asked back/)
  })
})

describe('one order of locks', () => {
  it('booking, giving back and cancelling of one payer, many at once: nobody hears of a deadlock', async () => {
    const student = await w.student()
    await m.invoice(student.id, [[100_000, 5]])
    const ids = await Promise.all(Array.from({ length: 12 }, () => m.transaction(student.id, 100)))
    const before = (
      await w.query<{ n: number }>(
        `select deadlocks::int as n from pg_stat_database where datname = current_database()`,
      )
    )[0]!.n
    const paid = await Promise.all(Array.from({ length: 12 }, () => take(student.id, 50)))
    const book = (some: number[]) => {
      const ctx = asSystem(u.services, 'test')
      return ctx.write((tx) => bookTransactions(ctx, tx, some)).then(() => ({ status: 200 }))
    }
    const answers = await Promise.all([
      ...ids.map((_, i) => book([ids[i]!, ids[(i * 5 + 1) % 12]!])),
      ...paid.slice(0, 6).map((id) => back(id, 50)),
      ...paid.slice(6).map((id) => officer('POST', '/transactions/cancel-transaction', { id, reason: 'At once' })),
    ])
    expect(answers.map((one) => one.status).filter((status) => status !== 200)).toEqual([])
    await w.query('select pg_stat_clear_snapshot()')
    const after = (
      await w.query<{ n: number }>(
        `select deadlocks::int as n from pg_stat_database where datname = current_database()`,
      )
    )[0]!.n
    expect(after - before).toBe(0)
    expect(await proven()).toEqual([])
  }, 180_000)
})
