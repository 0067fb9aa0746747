/** Payments by providers through HTTP: the simulator on one side, the university on the other, PostgreSQL beneath. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { createLog } from '#kit/server/base/log.ts'
import { sweepOf } from '#kit/server/jobs/retention.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { openUniversity } from '../../../../apps/server/assemble.ts'
import { transactionsServer } from '../transactions.server.ts'
import { bookTransactions } from '../book.server.ts'
import { cancelTransactions } from '../cancel.server.ts'
import { holdTransaction } from '../hold.server.ts'
import { payBack } from '../refunds/pay-back.server.ts'
import { askRefunds, refundDone } from './refund.server.ts'
import { askProviders, settleEvents } from './settle.server.ts'

let simulator: PaymentSimulator
let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let finance: Caller
let address: string
beforeAll(async () => {
  simulator = await openPaymentSimulator()
  u = await testUniversity([kitServer, catalogueServer, transactionsServer], {
    env: { ...simulator.variables, PORT: '0' },
  })
  address = await u.listen()
  simulator.callBack(address)
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  finance = await u.as('finance_officer')
  await offer('true', 'true')
})
afterAll(async () => {
  await u?.close()
  await simulator?.close()
})
afterEach(() => {
  simulator.down(false)
  simulator.refuse(false)
  simulator.payFirst(false)
  simulator.loseAnswers(false)
  simulator.tellNoRefunds(false)
  simulator.callBack(address)
})

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => w.query<Row>(text, values)
async function offer(fawry: string, card: string): Promise<void> {
  for (const [key, value] of [
    ['pay_with_fawry', fawry],
    ['pay_with_credit_card', card],
  ])
    await query(
      `insert into settings (key, value, grouping, public) values ($1, to_jsonb($2::text), 'payment', true) on conflict (key) do update set value = excluded.value`,
      [key, value],
    )
}
/** What the job does; jobs themselves are tried in the last test. */
const settle = () => settleEvents(asSystem(u.services, 'test'))
const ask = (of: number[] | null = null) => askProviders(asSystem(u.services, 'test'), of)
const verdicts = async () =>
  (await query<{ verdict: string }>(`select verdict from provider_events order by id`)).map((row) => row.verdict)
const newest = async (n: number) => (await verdicts()).slice(-n)
const transaction = async (id: number) =>
  (
    await query<{ status: string; amount: number; provider_reference: string | null }>(
      `select status, amount::int as amount, provider_reference from transactions where id = $1`,
      [id],
    )
  )[0]!
const refund = (payment: number, amount: number) =>
  finance('POST', `/payments/refund/${payment}`, { amount, reason: 'dropped a course' })
const refunded = async (id: number) =>
  (
    await query<{ status: string; asked: string }>(
      `select t.status, r.status as asked from transactions t join provider_refunds r on r.refund_id = t.id where t.id = $1`,
      [id],
    )
  )[0]!
/** A student who owes 1,000.00, and pays by a number. */
async function owing(way: 'mobile' | 'card' = 'mobile', amount = 100_000) {
  const student = await w.student()
  const invoice = await m.invoice(student.id, [[amount, -3]])
  const asked = ok(await student.as('POST', `/payments/pay/${invoice}`, { way }))
  const order = (
    await query<{ order_number: string }>(`select order_number from provider_charges where transaction_id = $1`, [
      asked.id,
    ])
  )[0]!
  return { student, invoice, asked, order: order.order_number }
}

test('a number stands on the account while it can be paid, and no longer', async () => {
  const { student, asked } = await owing()
  const numbers = async () => ok(await student.as('GET', `/student-payments/${student.id}`)).numbers.length
  expect(await numbers()).toBe(1)
  await query(`update provider_charges set expires_at = now() - interval '1 minute' where transaction_id = $1`, [
    asked.id,
  ])
  await query(`update transactions set expires_at = now() - interval '1 minute' where id = $1`, [asked.id])
  expect(await numbers()).toBe(0)
})

test('paid by a reference number: told, stored as it came, booked once by the job, and the hold is gone', async () => {
  const { student, invoice, asked, order } = await owing()
  expect(asked).toMatchObject({ status: 'pending', way: 'mobile', amount: 100_000, pay_number: order, link: null })
  // The same number again, from another device as well.
  const [one, two] = await Promise.all(
    [1, 2].map(() => student.as('POST', `/payments/pay/${invoice}`, { way: 'mobile' })),
  )
  expect([ok(one!).id, ok(two!).id]).toEqual([asked.id, asked.id])
  // The number stays to be read on the account and on its transaction until it is paid.
  const numbers = async () => ok(await student.as('GET', `/student-payments/${student.id}`)).numbers
  expect(await numbers()).toMatchObject([
    { id: asked.id, number: order, amount: 100_000, invoice_id: invoice, paid: false },
  ])
  expect(ok(await student.as('GET', `/transactions/${asked.id}`)).pay_number).toBe(order)
  await simulator.act(order, 'pay')
  expect(simulator.orders().find((o) => o.number === order)!.told).toMatchObject([{ what: 'PAID', answer: '200' }])
  expect(await m.stands(invoice)).toEqual([0, 100_000])
  expect(await settle()).toBe(1)
  expect(await m.stands(invoice)).toEqual([100_000, 100_000])
  expect(await numbers()).toEqual([])
  expect(await transaction(asked.id)).toEqual({ status: 'paid', amount: 100_000, provider_reference: order })
  expect(await m.holds(student.id)).toEqual([])
  // Nobody asks about it any more.
  expect(await query(`select next_check_at from provider_charges where transaction_id = $1`, [asked.id])).toEqual([
    { next_check_at: null },
  ])
  // The same message again, and the job once more: nothing.
  await simulator.act(order, 'tell_twice')
  await settle()
  expect(await m.stands(invoice)).toEqual([100_000, 100_000])
  expect(await m.wallet(student.id)).toBe(0)
  const [raw] = await query<{ body: Buffer; headers: object; hash: Buffer }>(
    `select body, headers, hash from provider_callbacks order by id desc limit 1`,
  )
  expect(JSON.parse(raw!.body.toString())).toMatchObject({ fawryRefNumber: order, orderStatus: 'PAID' })
  await expect(query(`update provider_callbacks set query = 'x'`)).rejects.toThrow(/kept as it came/)
  await expect(query(`delete from provider_callbacks`)).rejects.toThrow(/kept as it came/)
  const notices = await query(`select from notifications where user_id = $1 and key like 'transactions.%'`, [
    student.user_id,
  ])
  expect(notices.length).toBe(1)
  expect(reasons(await student.as('POST', `/payments/pay/${invoice}`, { way: 'mobile' }))).toEqual([
    'invoice_nothing_open',
  ])
})

test('paid by card: the browser that comes back books nothing, the callback does', async () => {
  const { student, invoice, asked, order } = await owing('card')
  expect(asked).toMatchObject({ status: 'pending', way: 'card', pay_number: null })
  simulator.callBack('http://127.0.0.1:9')
  const page = await fetch(asked.link, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  })
  const back = new URL(page.headers.get('location')!)
  const returned = await fetch(`${address}/api/payments/callback/paymob${back.search}`, { redirect: 'manual' })
  expect([returned.status, returned.headers.get('location')]).toEqual([
    303,
    `http://localhost:0/payments/paid/${asked.id}`,
  ])
  expect(await m.stands(invoice)).toEqual([0, 100_000])
  // Altered on the way: back home, and nothing is asked.
  const altered = await fetch(
    `${address}/api/payments/callback/paymob${back.search.replace('success=true', 'success=false')}`,
    { redirect: 'manual' },
  )
  expect(altered.headers.get('location')).toBe('http://localhost:0/home')
  // No callback came: the page asks.
  expect(ok(await student.as('GET', `/payments/paid/${asked.id}`))).toMatchObject({ status: 'paid' })
  expect(await m.stands(invoice)).toEqual([100_000, 100_000])
  expect(await newest(1)).toEqual(['booked'])
  // Loaded again once all is booked, the page that came back leads to the same payment.
  const again = await fetch(`${address}/api/payments/callback/paymob${back.search}`, { redirect: 'manual' })
  expect(again.headers.get('location')).toBe(`http://localhost:0/payments/paid/${asked.id}`)
  // Who began without signing in, for a record that has an account, is not led to the sign-in.
  await query('update transactions set created_by = null where id = $1', [asked.id])
  const unknown = await fetch(`${address}/api/payments/callback/paymob${back.search}`, { redirect: 'manual' })
  expect(unknown.headers.get('location')).toBe('http://localhost:0/certificates/graduate/paid')
  await query('update transactions set created_by = $2 where id = $1', [asked.id, student.as.user_id])
  // It comes after all.
  simulator.callBack(address)
  await simulator.act(order, 'tell_twice')
  await settle()
  expect(await newest(1)).toEqual(['repeated'])
  expect(
    (await query(`select from provider_events where times = 2 and verdict = 'repeated' and provider = 'paymob'`))
      .length,
  ).toBe(1)
})

test('a card that is declined is tried again; failed after paid does nothing; paid after expired is booked and told', async () => {
  const { student, invoice, asked, order } = await owing('card')
  await simulator.act(order, 'decline')
  await settle()
  expect((await transaction(asked.id)).status).toBe('failed')
  await simulator.act(order, 'pay')
  await simulator.act(order, 'fail_after_paid')
  await settle()
  expect(await newest(3)).toEqual(['recorded', 'booked', 'outdated'])
  expect((await transaction(asked.id)).status).toBe('paid')
  expect(await m.stands(invoice)).toEqual([100_000, 100_000])
  expect(await m.wallet(student.id)).toBe(0)

  const late = await owing()
  await simulator.act(late.order, 'expire')
  await settle()
  expect((await transaction(late.asked.id)).status).toBe('expired')
  await simulator.act(late.order, 'pay')
  await settle()
  expect(await newest(2)).toEqual(['recorded', 'booked_late'])
  expect(await m.stands(late.invoice)).toEqual([100_000, 100_000])
})

test('what is not as asked is never booked by itself: a person books it or closes it, once', async () => {
  const { student, invoice, asked, order } = await owing()
  await simulator.act(order, 'pay_other_amount')
  await settle()
  expect(await newest(1)).toEqual(['differs'])
  expect(await m.stands(invoice)).toEqual([0, 100_000])
  expect((await transaction(asked.id)).status).toBe('pending')
  // The clock asks meanwhile, and hears what is known.
  const { length } = await query('select from provider_events')
  for (let n = 0; n < 2; n++) {
    await query(`update provider_charges set checked_at = null, next_check_at = now() where transaction_id = $1`, [
      asked.id,
    ])
    expect(await ask([asked.id])).toBe(0)
  }
  expect(await query('select from provider_events')).toHaveLength(length)
  const { data, meta } = (await finance('POST', '/transactions/provider-events', { filters: { open: true } })).body
  expect(meta.count).toBe(1)
  expect(data[0]).toMatchObject({ verdict: 'differs', amount: 99_900, asked: { amount: 100_000 }, open: true })
  const { id } = data[0]
  expect(ok(await finance('GET', `/transactions/provider-events/${id}`)).came.body).toContain('PAID')
  // Neither students nor a finance officer of another faculty see it.
  const other = await u.as('finance_officer', ['faculty', w.otherFaculty])
  expect((await other('POST', '/transactions/provider-events', {})).body.meta.count).toBe(0)
  expect(
    (await other('POST', `/transactions/provider-events/${id}/decide`, { decision: 'book', reason: 'mine' })).status,
  ).toBe(404)
  for (const [who, status] of [
    [student.as, 403],
    [u.nobody, 401],
  ] as const)
    expect(
      (await who('POST', `/transactions/provider-events/${id}/decide`, { decision: 'book', reason: 'mine' })).status,
    ).toBe(status)
  const path = `/transactions/provider-events/${id}/decide`
  expect((await finance('POST', path, { decision: 'book' })).status).toBe(422)
  const older = await finance('POST', path, { decision: 'book', reason: 'agreed', version: data[0].version + 1 })
  expect([older.status, reasons(older)]).toEqual([409, ['changed_meanwhile']])
  expect(await m.stands(invoice)).toEqual([0, 100_000])
  const both = await Promise.all(
    [1, 2].map(() => finance('POST', path, { decision: 'book', reason: 'one pound less, agreed' })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await m.stands(invoice)).toEqual([99_900, 100_000])
  expect(reasons(await finance('POST', path, { decision: 'close', reason: 'again' }))).toEqual([
    'provider_event_decided',
  ])
  // The same payment told again is known now.
  await simulator.act(order, 'tell_twice')
  await settle()
  expect(await newest(1)).toEqual(['repeated'])
  expect(await m.stands(invoice)).toEqual([99_900, 100_000])
})

test('paid twice, paid after it was cancelled, about nothing we know, given back there: they wait for a person', async () => {
  const twice = await owing('card')
  await simulator.act(twice.order, 'pay_twice')
  await settle()
  expect(await newest(2)).toEqual(['booked', 'again'])
  expect(await m.stands(twice.invoice)).toEqual([100_000, 100_000])
  expect(await m.wallet(twice.student.id)).toBe(0)
  const again = (await finance('POST', '/transactions/provider-events', { filters: { verdict: 'again' } })).body.data[0]
  ok(
    await finance('POST', `/transactions/provider-events/${again.id}/decide`, {
      decision: 'book',
      reason: 'into the wallet',
    }),
  )
  expect(await m.wallet(twice.student.id)).toBe(100_000)

  const ended = await owing()
  await query(`update transactions set status = 'cancelled' where id = $1`, [ended.asked.id])
  await simulator.act(ended.order, 'pay')
  await settle()
  expect(await newest(1)).toEqual(['ended'])
  expect(await m.stands(ended.invoice)).toEqual([0, 100_000])

  const lost = await owing()
  await query(
    `update provider_charges set reference = 'EM00000000000X1S', order_number = null where transaction_id = $1`,
    [lost.asked.id],
  )
  await simulator.act(lost.order, 'pay')
  await settle()
  expect(await newest(1)).toEqual(['unknown'])
  const unknown = (await finance('POST', '/transactions/provider-events', { filters: { verdict: 'unknown' } })).body
    .data[0]
  const path = `/transactions/provider-events/${unknown.id}/decide`
  expect(reasons(await finance('POST', path, { decision: 'book', reason: 'whose?' }))).toEqual([
    'provider_event_not_bookable',
  ])
  ok(await finance('POST', path, { decision: 'close', reason: 'of another system' }))

  // Our reference with another order is not what was agreed.
  const twisted = await owing()
  await query(`update provider_charges set order_number = '9' || order_number where transaction_id = $1`, [
    twisted.asked.id,
  ])
  await simulator.act(twisted.order, 'pay')
  await settle()
  expect(await newest(1)).toEqual(['unknown'])
  expect(await m.stands(twisted.invoice)).toEqual([0, 100_000])

  // Given back by us is expected; by somebody there is not.
  const given = ok(await refund(twice.asked.id, 40_000))
  expect(given.state).toBe('paid')
  await expect.poll(() => settle()).toBe(1)
  expect(await newest(1)).toEqual(['recorded'])
  // A refund that happened although it was taken back here waits for a person.
  const undone = await owing()
  await simulator.act(undone.order, 'pay')
  await settle()
  simulator.tellNoRefunds(true)
  const gone = ok(await refund(undone.asked.id, 700))
  const ctx = asSystem(u.services, 'test')
  await ctx.write((tx) => cancelTransactions(ctx, tx, [gone.id], 'entered by mistake'))
  await simulator.act(undone.order, 'tell_refund')
  await settle()
  expect(await newest(1)).toEqual(['refunded'])
})

describe('a number that nobody has to pay any more is cancelled at the provider', () => {
  const orderNow = (order: string) => simulator.orders().find((one) => one.number === order)!.status
  const byCash = async (student: number, invoice: number, amount: number) => {
    const ctx = asSystem(u.services, 'test')
    const id = await m.transaction(student, amount, { invoice })
    await ctx.write((tx) => bookTransactions(ctx, tx, [id]))
  }
  /** The clock, two minutes after it asked last. */
  const later = async () => {
    await query(`update provider_charges set checked_at = checked_at - interval '3 minutes'`)
    return ask()
  }

  test('when the invoice is paid otherwise, in whole or part, and not before', async () => {
    const { student, invoice, asked, order } = await owing()
    await later()
    expect([orderNow(order), (await transaction(asked.id)).status]).toEqual(['new', 'pending'])
    await byCash(student.id, invoice, 40_000)
    await later()
    expect(orderNow(order)).toBe('cancelled')
    expect(await transaction(asked.id)).toMatchObject({ status: 'expired', provider_reference: null })
    // The next number asks for the rest.
    const rest = ok(await student.as('POST', `/payments/pay/${invoice}`, { way: 'mobile' }))
    expect(rest).toMatchObject({ amount: 60_000, status: 'pending' })
    await settle()
    expect((await transaction(rest.id)).status).toBe('pending')
  })

  test('of an instalment that another number paid with the whole', async () => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [
      [30_000, 5],
      [70_000, 35],
    ])
    const [part] = await query<{ id: number }>(
      `select id from installments where invoice_id = $1 order by position limit 1`,
      [invoice],
    )
    const first = ok(await student.as('POST', `/payments/pay/${invoice}`, { way: 'mobile', installment_id: part!.id }))
    const whole = ok(await student.as('POST', `/payments/pay/${invoice}`, { way: 'mobile' }))
    await later()
    expect([orderNow(first.pay_number), orderNow(whole.pay_number)]).toEqual(['new', 'new'])
    await simulator.act(whole.pay_number, 'pay')
    await settle()
    await later()
    expect([orderNow(first.pay_number), orderNow(whole.pay_number)]).toEqual(['cancelled', 'paid'])
  })

  test('when the payment was cancelled here', async () => {
    const { asked, order } = await owing()
    const ctx = asSystem(u.services, 'test')
    await ctx.write((tx) => cancelTransactions(ctx, tx, [asked.id], 'entered by mistake'))
    await later()
    expect(orderNow(order)).toBe('cancelled')
    expect((await transaction(asked.id)).status).toBe('cancelled')
  })

  test('what was paid in that moment is booked; a provider that is down is asked again', async () => {
    const late = await owing()
    await byCash(late.student.id, late.invoice, 100_000)
    await simulator.act(late.order, 'pay_silently')
    await later()
    expect(orderNow(late.order)).toBe('paid')
    expect((await transaction(late.asked.id)).status).toBe('paid')
    expect(await m.wallet(late.student.id)).toBe(100_000)
    const { student, invoice, asked, order } = await owing()
    await byCash(student.id, invoice, 100_000)
    simulator.down(true)
    // Of all that were cancelled before, none is asked about again.
    expect(await later()).toBe(1)
    expect((await transaction(asked.id)).status).toBe('pending')
    simulator.down(false)
    await later()
    expect([orderNow(order), (await transaction(asked.id)).status]).toEqual(['cancelled', 'expired'])
  })
})

describe('a refund that is not answered', () => {
  const paidBy = async (way: 'mobile' | 'card') => {
    const made = await owing(way)
    await simulator.act(made.order, 'pay')
    await settle()
    expect(await m.stands(made.invoice)).toEqual([100_000, 100_000])
    return made
  }
  /** The clock, when the time of everything has come. */
  const clock = async () => {
    await query(`update provider_refunds set next_check_at = now() - interval '1 second' where status = 'asked'`)
    return askRefunds(asSystem(u.services, 'test'))
  }

  test.each(['mobile', 'card'] as const)('by %s: it stays booked, is asked again, and is paid once', async (way) => {
    const { asked, invoice, student, order } = await paidBy(way)
    simulator.down(true)
    const made = ok(await refund(asked.id, 30_000))
    expect(made.state).toBe('pending')
    expect(await m.stands(invoice)).toEqual([70_000, 100_000])
    expect(await refunded(made.id)).toMatchObject({ status: 'pending', asked: 'asked' })
    // Nothing else of this payment by the provider until it is known, and the refund is not cancelled.
    expect(reasons(await refund(asked.id, 100))).toEqual(['refund_not_answered'])
    expect(ok(await finance('GET', `/transactions/${asked.id}`)).refunded).toBe(30_000)
    expect(reasons(await refund(asked.id, 70_001))).toEqual(['refund_too_much'])
    expect(
      reasons(await finance('POST', '/transactions/cancel-transaction', { id: made.id, reason: 'Mistake' })),
    ).toEqual(['refund_not_answered'])
    expect((await verifyLedger(u.database.db)).findings).toEqual([])
    expect(await clock()).toBe(1)
    expect(await refunded(made.id)).toMatchObject({ status: 'pending' })
    simulator.down(false)
    simulator.tellNoRefunds(true)
    expect(await clock()).toBe(0)
    expect(await refunded(made.id)).toMatchObject({ status: 'paid', asked: 'done' })
    expect(
      simulator
        .orders()
        .find((o) => o.number === order)!
        .payments.find((p) => p.success)!.refunded,
    ).toBe(30_000)
    await clock()
    expect(
      simulator
        .orders()
        .find((o) => o.number === order)!
        .payments.find((p) => p.success)!.refunded,
    ).toBe(30_000)
    const told = await query(`select from notifications where user_id = $1 and key like 'transactions.%'`, [
      student.user_id,
    ])
    expect(told.length).toBe(2)
    expect((await verifyLedger(u.database.db)).findings).toEqual([])
  })

  test.each(['mobile', 'card'] as const)(
    'by %s: it happened, its answer was lost: not given back a second time',
    async (way) => {
      const { asked, order } = await paidBy(way)
      simulator.loseAnswers(true)
      simulator.tellNoRefunds(true)
      const made = ok(await refund(asked.id, 30_000))
      expect(made.state).toBe('pending')
      simulator.loseAnswers(false)
      expect(await clock()).toBe(0)
      expect(await refunded(made.id)).toMatchObject({ status: 'paid', asked: 'done' })
      expect(
        simulator
          .orders()
          .find((o) => o.number === order)!
          .payments.find((p) => p.success)!.refunded,
      ).toBe(30_000)
    },
  )

  test('the callback of it says so first', async () => {
    const { asked } = await paidBy('card')
    simulator.loseAnswers(true)
    const made = ok(await refund(asked.id, 30_000))
    await expect.poll(() => settle()).toBe(1)
    expect(await refunded(made.id)).toMatchObject({ status: 'paid', asked: 'done' })
    simulator.loseAnswers(false)
    expect(await clock()).toBe(0)
  })

  test('news of an earlier refund, or of one of another amount, is not the one that waits', async () => {
    const { asked, order } = await paidBy('card')
    expect(ok(await refund(asked.id, 30_000)).state).toBe('paid')
    await expect.poll(() => settle()).toBe(1)
    simulator.down(true)
    const made = ok(await refund(asked.id, 30_000))
    expect(made.state).toBe('pending')
    simulator.down(false)
    // The first one is told once more, in other words.
    const again = async (amount: number, id?: string) => {
      const back = simulator
        .orders()
        .find((o) => o.number === order)!
        .payments.find((p) => p.refunds !== undefined)!
      Object.assign(back, { amount, at: new Date().toISOString(), ...(id && { id }) })
      await simulator.act(order, 'tell_refund')
      await settle()
      return refunded(made.id)
    }
    expect(await again(30_000)).toMatchObject({ status: 'pending', asked: 'asked' })
    expect(await again(20_000, '987654321')).toMatchObject({ status: 'pending', asked: 'asked' })
    expect(await again(30_000, '987654322')).toMatchObject({ status: 'paid', asked: 'done' })
  })

  test('a definite no takes back what was booked, and who gave it back is told', async () => {
    const { asked, invoice, order } = await paidBy('mobile')
    // Given back there by somebody else: the provider has less than we think.
    simulator.down(true)
    const made = ok(await refund(asked.id, 80_000))
    simulator.down(false)
    simulator.tellNoRefunds(true)
    simulator.orders().find((o) => o.number === order)!.payments[0]!.refunded = 50_000
    await clock()
    expect(await refunded(made.id)).toMatchObject({ status: 'cancelled', asked: 'refused' })
    expect(await m.stands(invoice)).toEqual([100_000, 100_000])
    // What was said once is not said anew.
    const ctx = asSystem(u.services, 'test')
    await ctx.write((tx) => refundDone(ctx, tx, made.id, null))
    expect(await refunded(made.id)).toMatchObject({ status: 'cancelled', asked: 'refused' })
    expect(
      (
        await query(`select from notifications where user_id = $1 and key like 'transactions.%'`, [
          (finance as unknown as { user_id: number }).user_id,
        ])
      ).length,
    ).toBeGreaterThan(0)
    expect(reasons(await refund(asked.id, 90_000))).toEqual(['refund_refused'])
    expect(await m.stands(invoice)).toEqual([100_000, 100_000])
    expect((await verifyLedger(u.database.db)).findings).toEqual([])
  })

  test('stopped between booking and asking: the clock goes on, and two of them ask once', async () => {
    const { asked, order } = await paidBy('card')
    simulator.tellNoRefunds(true)
    const ctx = asSystem(u.services, 'test')
    const payOut = (amount: number) =>
      ctx.write(async (tx) => {
        const held = await holdTransaction(ctx, tx, asked.id, 'refund_payment')
        return payBack(ctx, tx, held, { amount, direct: false, reason: 'stopped here' })
      })
    // Never more than came, whoever calls.
    await expect(payOut(100_001)).rejects.toMatchObject({ status: 409, reasons: [{ code: 'refund_too_much' }] })
    const made = await payOut(12_345)
    expect(await refunded(made.id)).toMatchObject({ status: 'pending', asked: 'asked' })
    // Not before its time: who booked it may be asking.
    await askRefunds(ctx)
    expect(await refunded(made.id)).toMatchObject({ status: 'pending' })
    await query(`update provider_refunds set next_check_at = now() where refund_id = $1`, [made.id])
    // Another process has it in hand.
    const held = await u.database.pool.connect()
    await held.query('begin')
    await held.query('select from provider_refunds where refund_id = $1 for no key update', [made.id])
    expect([await askRefunds(ctx), (await refunded(made.id)).status]).toEqual([0, 'pending'])
    await held.query('rollback')
    held.release()
    await Promise.all([askRefunds(ctx), askRefunds(ctx)])
    expect(await refunded(made.id)).toMatchObject({ status: 'paid', asked: 'done' })
    expect(simulator.orders().find((o) => o.number === order)!.payments[0]!.refunded).toBe(12_345)
  })

  test('what the provider cannot tell, a person says; seen by who decides, after hours on the home', async () => {
    const { asked } = await paidBy('mobile')
    simulator.tellNoRefunds(true)
    expect(ok(await refund(asked.id, 10_000)).state).toBe('paid')
    simulator.loseAnswers(true)
    const made = ok(await refund(asked.id, 20_000))
    simulator.loseAnswers(false)
    expect(await clock()).toBe(1)
    const listed = (await finance('POST', '/payments/refunds/unanswered', {})).body.data
    const row = listed.find((one: any) => one.transaction_id === made.id)
    expect(row).toMatchObject({ amount: 20_000, provider: 'fawry' })
    expect(JSON.stringify(ok(await finance('GET', '/users/work')))).not.toContain('work_refunds_unanswered')
    await query(`update provider_refunds set created_at = now() - interval '4 hours' where id = $1`, [row.id])
    expect(JSON.stringify(ok(await finance('GET', '/users/work')))).toContain('work_refunds_unanswered')
    const path = `/payments/refunds/unanswered/${row.id}`
    const elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
    expect((await elsewhere('POST', path, { happened: true, reason: 'Not mine' })).status).toBe(404)
    const older = { happened: true, reason: 'Seen', version: row.version + 1 }
    expect(reasons(await finance('POST', path, older))).toEqual(['changed_meanwhile'])
    expect(await refunded(made.id)).toMatchObject({ status: 'pending', asked: 'asked' })
    expect((await elsewhere('POST', '/payments/refunds/unanswered', {})).body.data).toEqual([])
    ok(await finance('POST', path, { happened: true, reason: 'Seen in the portal', version: row.version }))
    expect(await refunded(made.id)).toMatchObject({ status: 'paid', asked: 'done' })
    expect(reasons(await finance('POST', path, { happened: false, reason: 'After all' }))).toEqual([
      'refund_request_ended',
    ])
  })

  test('what was paid by a provider that is none any more goes not back by it, and nothing is booked', async () => {
    const { asked, invoice } = await paidBy('card')
    const { config } = u.services
    const later = await openUniversity({
      config: { ...config, databaseUrl: u.database.url, payments: { ...config.payments, paymob: null } },
      log: createLog(config),
      areas: [kitServer, catalogueServer, transactionsServer],
      partial: true,
      work: false,
    })
    try {
      const refused = await later.app.inject({
        method: 'POST',
        url: `/api/payments/refund/${asked.id}`,
        headers: { authorization: `Bearer ${finance.token}` },
        payload: { amount: 10_000, reason: 'dropped a course' },
      })
      expect([refused.statusCode, refused.json().message]).toEqual([409, 'refund_no_provider'])
      expect(await m.stands(invoice)).toEqual([100_000, 100_000])
      expect(await query('select from transactions where refund_of = $1', [asked.id])).toEqual([])
      // One that waited for it waits on, and says why.
      simulator.down(true)
      const waits = ok(await refund(asked.id, 10_000))
      simulator.down(false)
      await query(`update provider_refunds set next_check_at = now() where refund_id = $1`, [waits.id])
      expect(await askRefunds(asSystem(later.services, 'test'))).toBe(1)
      expect(await refunded(waits.id)).toMatchObject({ status: 'pending', asked: 'asked' })
      expect(await query(`select error from provider_refunds where refund_id = $1`, [waits.id])).toEqual([
        { error: 'paymob is not set up any more' },
      ])
    } finally {
      await later.stop()
    }
  })

  test('above the limit: it is asked there once another person has approved it', async () => {
    const { asked, invoice } = await paidBy('card')
    simulator.tellNoRefunds(true)
    await query(
      `insert into settings (key, value, grouping) values ('refund_limit_egp', '"100"', 'payment') on conflict (key) do update set value = excluded.value`,
    )
    const { request_id } = ok(await refund(asked.id, 20_000))
    expect(await m.stands(invoice)).toEqual([100_000, 100_000])
    const head = await u.as('finance_head')
    const done = ok(await head('POST', `/payments/refunds/${request_id}/approve`, {}))
    expect(done).toMatchObject({ status: 'paid_out', transaction: { status: 'paid' } })
    expect(await m.stands(invoice)).toEqual([80_000, 100_000])
    await query(`delete from settings where key = 'refund_limit_egp'`)
  })
})

test('forged callbacks are refused, kept for who looks, and slowed; addresses tell nothing', async () => {
  const { invoice, order } = await owing()
  await simulator.act(order, 'forge')
  expect(
    simulator
      .orders()
      .find((o) => o.number === order)!
      .told.at(-1),
  ).toMatchObject({ answer: '401' })
  expect(await settle()).toBe(0)
  expect(await newest(1)).toEqual(['forged'])
  expect(await m.stands(invoice)).toEqual([0, 100_000])
  const send = (path: string, body: string, headers: Record<string, string> = {}) =>
    u.app.inject({
      method: 'POST',
      url: `/api/payments/callback/${path}`,
      payload: body,
      headers: { 'content-type': 'application/json', ...headers },
      remoteAddress: '203.0.113.9',
    })
  expect((await send('nobody', '{}')).statusCode).toBe(404)
  expect((await send('fawry', 'x'.repeat(70_000))).statusCode).toBe(413)
  const kept = await query<{ headers: Record<string, string> }>(`select headers from provider_callbacks`)
  await send('fawry', '{"a":1}', { authorization: 'Bearer secret', cookie: 'session=1', 'content-type': 'text/plain' })
  const [last] = await query<{ headers: Record<string, string> }>(
    `select headers from provider_callbacks order by id desc limit 1`,
  )
  expect(Object.keys(last!.headers)).not.toContain('authorization')
  // Of a day so many are kept; more are refused all the same.
  await query(`insert into provider_events (provider, verdict, judged_at)
    select 'fawry', 'forged', now() from generate_series(1, 1000)`)
  const { length } = await query('select from provider_callbacks')
  expect((await send('fawry', '{"a":2}')).statusCode).toBe(401)
  expect(await query('select from provider_callbacks')).toHaveLength(length)
  await query(`delete from provider_events where callback_id is null and verdict = 'forged'`)
  expect(JSON.stringify([...kept, last])).not.toContain('secret')
  let slowed = 0
  for (let i = 0; i < 130; i++) if ((await send('fawry', `{"n":${i}}`)).statusCode === 429) slowed++
  expect(slowed).toBeGreaterThan(20)
  await expect
    .poll(() =>
      query(`select from security_log where kind = 'refused' and data ->> 'call' = 'POST /payments/callback/fawry'`),
    )
    .not.toEqual([])
  // Others are not slowed, and the answer is the same whether a reference exists or not.
  const from = (remoteAddress: string, ref: string) =>
    u.app.inject({
      method: 'POST',
      url: '/api/payments/callback/fawry',
      payload: { merchantRefNumber: ref },
      remoteAddress,
    })
  const known = (await query<{ reference: string }>(`select reference from provider_charges limit 1`))[0]!.reference
  // What is forged ends with its time; what a provider sent does not.
  const all = async () => (await query<{ n: number }>(`select count(*)::int as n from provider_callbacks`))[0]!.n
  const before = await all()
  expect(await sweepOf('forged_callbacks')!.erase(asSystem(u.services, 'test'), 7)).toBe(0)
  const erased = await sweepOf('forged_callbacks')!.erase(asSystem(u.services, 'test'), -1)
  expect([erased > 0, before - (await all())]).toEqual([true, erased])
  expect((await query(`select from provider_events where verdict = 'forged'`)).length).toBe(0)
  const [a, b] = [await from('203.0.113.10', known), await from('203.0.113.10', 'EM0000000000000S')]
  expect([a.statusCode, a.body, b.statusCode, b.body]).toEqual([401, '{}', 401, '{}'])
})

test('Paymob does not sign our reference: whoever paid little cannot have another charge booked by it', async () => {
  const cheap = await owing('card', 100)
  const dear = await owing('card', 100)
  const [target] = await query<{ reference: string }>(
    `select reference from provider_charges where transaction_id = $1`,
    [dear.asked.id],
  )
  simulator.callBack('http://127.0.0.1:9')
  const paid = await fetch(cheap.asked.link, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  })
  const { searchParams: of } = new URL(paid.headers.get('location')!)
  const [id, order] = [of.get('id'), of.get('order')]
  // What the payer's own browser was given, with the reference of somebody else's charge beside it.
  const obj = {
    ...Object.fromEntries(
      [
        'error_occured',
        'has_parent_transaction',
        'is_3d_secure',
        'is_auth',
        'is_capture',
        'is_refunded',
        'is_standalone_payment',
        'is_voided',
        'pending',
        'success',
      ].map((k) => [k, of.get(k) === 'true']),
    ),
    ...Object.fromEntries(['amount_cents', 'integration_id', 'owner'].map((k) => [k, Number(of.get(k))])),
    id: Number(id),
    created_at: of.get('created_at'),
    currency: of.get('currency'),
    source_data: {
      pan: of.get('source_data.pan'),
      type: of.get('source_data.type'),
      sub_type: of.get('source_data.sub_type'),
    },
    order: { id: Number(order), merchant_order_id: target!.reference },
  }
  // Also while the order of that charge is not known to us yet.
  await query(`update provider_charges set order_number = null where transaction_id = $1`, [dear.asked.id])
  await query(`update provider_charges set order_number = null where transaction_id = $1`, [cheap.asked.id])
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api/payments/callback/paymob?hmac=${of.get('hmac')}`,
    payload: { type: 'TRANSACTION', obj },
  })
  expect(answer.statusCode).toBe(200)
  await settle()
  expect((await transaction(dear.asked.id)).status).toBe('pending')
  expect(await m.stands(dear.invoice)).toEqual([0, 100])
})

test('the callback is quicker than the answer to our own request', async () => {
  for (const way of ['mobile', 'card'] as const) {
    simulator.payFirst(true)
    simulator.loseAnswers(true)
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[5000, 3]])
    expect(reasons(await student.as('POST', `/payments/pay/${invoice}`, { way }))).toEqual(['payment_provider_silent'])
    simulator.loseAnswers(false)
    simulator.payFirst(false)
    await settle()
    expect(await m.stands(invoice)).toEqual([5000, 5000])
    expect(await newest(1)).toEqual(['booked'])
    expect(reasons(await student.as('POST', `/payments/pay/${invoice}`, { way }))).toEqual(['invoice_nothing_open'])
  }
})

test('a provider that is down: a clear refusal, nothing is left half, and the same reference afterwards', async () => {
  for (const way of ['mobile', 'card'] as const) {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[5000, 3]])
    simulator.down(true)
    const refused = await student.as('POST', `/payments/pay/${invoice}`, { way })
    expect([refused.status, ...reasons(refused)]).toEqual([503, 'payment_provider_silent'])
    expect((await student.as('POST', `/payments/pay/${invoice}`, { way })).status).toBe(503)
    const of = () =>
      query<{ reference: string; status: string }>(
        `select c.reference, t.status from provider_charges c join transactions t on t.id = c.transaction_id where t.invoice_id = $1`,
        [invoice],
      )
    expect((await of()).map((row) => row.status)).toEqual(['new'])
    simulator.down(false)
    const asked = ok(await student.as('POST', `/payments/pay/${invoice}`, { way }))
    expect(asked.status).toBe('pending')
    expect((await of()).length).toBe(1)
    // The provider made the charge, and its answer was lost.
    const other = await m.invoice(student.id, [[7000, 3]])
    simulator.loseAnswers(true)
    expect((await student.as('POST', `/payments/pay/${other}`, { way })).status).toBe(503)
    simulator.loseAnswers(false)
    const found = ok(await student.as('POST', `/payments/pay/${other}`, { way }))
    await simulator.act(simulator.orders().at(-1)!.number, 'pay')
    await settle()
    expect(ok(await student.as('GET', `/payments/paid/${found.id}`)).status).toBe('paid')
  }
})

test.each(['mobile', 'card'] as const)(
  'by %s, a provider that says no: told so, and the next try is a new one',
  async (way) => {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[5000, 3]])
    const of = () =>
      query<{ status: string; reason: string | null; error: string | null }>(
        `select t.status, t.reason, c.error from provider_charges c join transactions t on t.id = c.transaction_id
       where t.invoice_id = $1 order by t.id`,
        [invoice],
      )
    simulator.refuse(true)
    const refused = await student.as('POST', `/payments/pay/${invoice}`, { way })
    expect([refused.status, ...reasons(refused)]).toEqual([409, 'payment_refused'])
    // What the provider said is kept with the try, for who looks into it.
    const [failed] = await of()
    expect(failed!.status).toBe('failed')
    expect(failed!.reason).toBeTruthy()
    expect(failed!.error).toBe(failed!.reason)
    expect(await ask()).toBe(0)
    simulator.refuse(false)
    expect(ok(await student.as('POST', `/payments/pay/${invoice}`, { way })).status).toBe('pending')
    expect((await of()).map((row) => row.status)).toEqual(['failed', 'pending'])
  },
)

test('when nobody tells us we ask: paid in silence is booked, what nobody paid in 48 hours is expired', async () => {
  const silent = await owing()
  const never = await owing('card')
  await simulator.act(silent.order, 'pay_silently')
  await query(`update provider_charges set next_check_at = now() where transaction_id = any($1)`, [
    [silent.asked.id, never.asked.id],
  ])
  expect(await ask()).toBe(0)
  expect((await transaction(silent.asked.id)).status).toBe('paid')
  expect((await transaction(never.asked.id)).status).toBe('pending')
  await query(`update transactions set expires_at = now() - interval '1 minute' where id = $1`, [never.asked.id])
  await query(`update provider_charges set next_check_at = now() where transaction_id = $1`, [never.asked.id])
  // The provider is down: nothing is decided without it.
  simulator.down(true)
  expect(await ask()).toBe(1)
  expect((await transaction(never.asked.id)).status).toBe('pending')
  simulator.down(false)
  await query(`update provider_charges set next_check_at = now() where transaction_id = $1`, [never.asked.id])
  await ask()
  expect((await transaction(never.asked.id)).status).toBe('expired')
  // A person asks.
  const asked = await owing()
  await simulator.act(asked.order, 'pay_silently')
  const check = ok(await asked.student.as('GET', `/payments/checkPayment/${asked.invoice}`))
  expect(check).toMatchObject({ answered: true, payments: [{ status: 'paid' }] })
  const stranger = await w.student()
  expect((await stranger.as('GET', `/payments/checkPayment/${asked.invoice}`)).status).toBe(404)
  expect((await stranger.as('GET', `/payments/paid/${asked.asked.id}`)).status).toBe(404)
  expect((await stranger.as('GET', `/payments/pay/${asked.invoice}`)).status).toBe(404)
  expect((await stranger.as('POST', `/payments/pay/${asked.invoice}`, { way: 'mobile' })).status).toBe(404)
})

test('many devices at once get one number and one page', async () => {
  for (const way of ['mobile', 'card'] as const) {
    const student = await w.student()
    const invoice = await m.invoice(student.id, [[5000, 3]])
    const all = await Promise.all(
      Array.from({ length: 4 }, () => student.as('POST', `/payments/pay/${invoice}`, { way })),
    )
    expect(new Set(all.map((one) => JSON.stringify([ok(one).id, ok(one).pay_number, ok(one).link]))).size).toBe(1)
    const charges = await query(
      `select from provider_charges c join transactions t on t.id = c.transaction_id where t.invoice_id = $1`,
      [invoice],
    )
    expect(charges.length).toBe(1)
  }
})

test('settings decide what is offered, and currencies what is possible', async () => {
  const student = await w.student()
  const pounds = await m.invoice(student.id, [
    [3000, 3],
    [2000, 30],
  ])
  const dollars = await m.invoice(student.id, [[3000, 3]], 'USD')
  expect(ok(await student.as('GET', `/payments/pay/${pounds}`)).ways).toEqual(['mobile', 'card'])
  expect(ok(await student.as('GET', `/payments/pay/${dollars}`)).ways).toEqual(['card'])
  expect(reasons(await student.as('POST', `/payments/pay/${dollars}`, { way: 'mobile' }))).toEqual([
    'provider_currency',
  ])
  await offer('false', 'true')
  expect(ok(await student.as('GET', `/payments/pay/${pounds}`)).ways).toEqual(['card'])
  expect(reasons(await student.as('POST', `/payments/pay/${pounds}`, { way: 'mobile' }))).toEqual([
    'provider_not_offered',
  ])
  await offer('false', 'false')
  expect(ok(await student.as('GET', `/payments/pay/${pounds}`)).ways).toEqual([])
  await offer('true', 'true')
  // An instalment by itself.
  const [first, second] = await query<{ id: number }>(
    `select id from installments where invoice_id = $1 order by position`,
    [pounds],
  )
  expect(
    ok(await student.as('POST', `/payments/pay/${pounds}`, { way: 'mobile', installment_id: first!.id })).amount,
  ).toBe(3000)
  expect(
    ok(await student.as('POST', `/payments/pay/${pounds}`, { way: 'mobile', installment_id: second!.id })).amount,
  ).toBe(2000)
  expect((await student.as('POST', `/payments/pay/${pounds}`, { way: 'mobile', installment_id: 999_999 })).status).toBe(
    404,
  )
})

test('two processes at once, repeated and shuffled: each payment is booked once', async () => {
  const payers = await Promise.all(Array.from({ length: 8 }, (_, i) => owing(i % 2 ? 'card' : 'mobile')))
  const all = payers.flatMap(({ order }) => [order, order, order]).toSorted(() => Math.random() - 0.5)
  await Promise.all(all.map((order) => simulator.act(order, 'tell_twice')))
  const judged = await Promise.all([settle(), settle(), settle(), settle()])
  expect(judged.reduce((a, b) => a + b)).toBeGreaterThan(0)
  for (const { invoice, student } of payers) {
    expect(await m.stands(invoice)).toEqual([100_000, 100_000])
    expect(await m.wallet(student.id)).toBe(0)
  }
  expect((await query(`select from provider_events where verdict is null and tries = 0`)).length).toBe(0)
})

test('with its jobs at work, what a provider tells is booked within a second, and the open page is told', async () => {
  const worker = await testUniversity([kitServer, catalogueServer, transactionsServer], {
    work: true,
    env: { ...simulator.variables, PORT: '0' },
  })
  try {
    const there = await worker.listen()
    simulator.callBack(there)
    const world = await registrationWorld(worker)
    const money = moneyWorld(worker.database.db)
    await worker.database.pool.query(
      `insert into settings (key, value, grouping, public) values ('pay_with_fawry', '"true"', 'payment', true)`,
    )
    const student = await world.student()
    const invoice = await money.invoice(student.id, [[4000, -3]])
    const asked = ok(await student.as('POST', `/payments/pay/${invoice}`, { way: 'mobile' }))
    const heard: string[] = []
    const stop = worker.services.events.on('live_event', (text) => heard.push(text))
    const at = performance.now()
    await simulator.act(asked.pay_number, 'pay')
    await expect.poll(() => money.stands(invoice), { interval: 20, timeout: 5000 }).toEqual([4000, 4000])
    expect(performance.now() - at).toBeLessThan(8000)
    await expect.poll(() => heard.join(' '), { interval: 20 }).toContain('account')
    stop()
  } finally {
    await worker.close()
  }
})
