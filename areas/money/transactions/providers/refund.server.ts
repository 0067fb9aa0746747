/**
 * Refunds by a provider: booked first, then asked for. What is not answered is no refusal: it stays booked and pending, is asked
 * about by the clock, and becomes paid, or is taken back by a definite no. Where the provider cannot say, a person does.
 */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { tellAccounts } from '#areas/money/invoices/holds.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { cancelTransactions, holdTransactions } from '../cancel.server.ts'
import { refundHappened } from '../moves/back.rules.ts'
import type { Gone } from '../moves/transaction.contract.ts'
import { decimalOf } from './amounts.rules.ts'
import type { ProviderEvent, ProviderName } from './events.rules.ts'
import { providerNamed } from './offered.server.ts'
import { ProviderDown, ProviderRefused } from './provider.server.ts'

interface Due {
  readonly refund_id: number
  readonly provider: ProviderName
  readonly amount: number
  readonly reason: string
  /** How often it was asked for before. */
  readonly asked: number
  /** The payment there, what it was, and what of it went back for certain. */
  readonly payment: string
  readonly paid: number
  readonly done: number
  readonly reference: string | null
  readonly order_number: string | null
}

const MOST_AT_ONCE = 20

/**
 * Takes refunds whose time has come, or this one: minutes apart at first, then hours. Whoever does the same takes others, and
 * none of them again before an answer can have come.
 */
const takeDue = (ctx: Ctx, of: number | null): Promise<Due[]> =>
  ctx.write(async (tx) => {
    const { rows } = await sql<Due>`
      with due as (
        select r.id, r.checks from provider_refunds r where r.status = 'asked' and ${of === null ? sql`r.next_check_at <= now()` : sql`r.refund_id = ${of} and r.checks = 0`}
        order by r.next_check_at limit ${MOST_AT_ONCE} for update skip locked),
      taken as (
        update provider_refunds r set checks = r.checks + 1,
          next_check_at = now() + make_interval(mins => (array[1, 2, 5, 10, 20, 40, 60, 120, 360])[least(r.checks + 1, 9)])
        from due where r.id = due.id returning r.*, due.checks as asked)
      select r.refund_id, r.provider, r.amount::float8 as amount, r.reason, r.asked, t.provider_reference as payment, t.amount::float8 as paid,
        (select coalesce(sum(d.amount), 0) from provider_refunds d where d.payment_id = t.id and d.status = 'done')::float8 as done,
        c.reference, c.order_number
      from taken r join transactions t on t.id = r.payment_id
        left join lateral (select reference, order_number from provider_charges c where c.transaction_id = t.id and c.order_number is not null
          order by c.id desc limit 1) c on true`.execute(tx)
    return rows
  })

/** Whether a refund that was asked for before has happened; null: the provider cannot say. @throws {ProviderDown} */
async function happened(ctx: Ctx, of: Due): Promise<boolean | null> {
  if (of.reference === null && of.order_number === null) return null
  const event = await providerNamed(ctx.services, of.provider)!.status({
    reference: of.reference ?? '',
    order: of.order_number,
    payment: of.payment,
  })
  return (
    event &&
    refundHappened(
      { payment: of.paid, done: of.done, amount: of.amount },
      { status: event.status, refunded: event.refunded ?? null, whole: event.whole ?? null },
    )
  )
}

async function ask(ctx: Ctx, of: Due): Promise<void> {
  const provider = providerNamed(ctx.services, of.provider)
  if (!provider) throw new ProviderDown(`${of.provider} is not set up any more`)
  if (of.asked > 0) {
    const told = await happened(ctx, of)
    if (told === null) throw new ProviderDown(`${of.provider} cannot say whether it happened`)
    if (told) return ctx.write((tx) => refundDone(ctx, tx, of.refund_id, null))
  }
  try {
    const { reference } = await provider.refund({ payment: of.payment, amount: of.amount, reason: of.reason })
    await ctx.write((tx) => refundDone(ctx, tx, of.refund_id, reference))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    await ctx.write((tx) => refundRefused(ctx, tx, of.refund_id, error.message))
  }
}

/**
 * Asks providers for refunds that wait: those whose time has come, or this one. What is not answered is asked again later.
 *
 * @returns how many were not answered
 */
export async function askRefunds(ctx: Ctx, of: number | null = null, signal?: AbortSignal): Promise<number> {
  let silent = 0
  for (;;) {
    const due = await takeDue(ctx, of)
    for (const one of due) {
      if (signal?.aborted) return silent
      try {
        await ask(ctx, one)
      } catch (error) {
        silent++
        const said = error instanceof ProviderDown ? error.message : `not settled: ${(error as Error).message}`
        await ctx.write((tx) =>
          sql`update provider_refunds set error = ${said.slice(0, 300)} where refund_id = ${one.refund_id} and status = 'asked'`.execute(
            tx,
          ),
        )
      }
    }
    if (of !== null || due.length < MOST_AT_ONCE) return silent
  }
}

/** What goes back by a provider is asked there now; a definite no is a refusal, no answer is not. */
export async function askedAtProvider(ctx: Ctx, made: Gone): Promise<Gone> {
  if (made.id === null || made.state !== 'pending') return made
  await askRefunds(asSystem(ctx.services, 'asked a payment provider for a refund'), made.id)
  const { rows } = await sql<{ status: string }>`select status from transactions where id = ${made.id}`.execute(ctx.db)
  // In a unit that others may still take back it is seen by nobody else, and waits to be asked about.
  const status = rows[0]?.status
  if (status === 'cancelled') throw refuse(409, 'refund_refused')
  return { ...made, state: status === 'paid' ? 'paid' : 'pending' }
}

interface Told {
  readonly user_id: number | null
  readonly student_id: number | null
  readonly payer_id: number
  readonly created_by: number | null
  readonly amount: number
  readonly currency: string
}
const toldOf = async (tx: Tx, id: number): Promise<Told> =>
  firstRow(
    (
      await sql<Told>`select coalesce(s.user_id, p.user_id) as user_id, p.student_id, t.payer_id, t.created_by, t.amount::float8 as amount, t.currency
      from transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id where t.id = ${id}`.execute(
        tx,
      )
    ).rows,
  )

/** Tells the student that money went back. */
export async function tellPaidBack(tx: Tx, id: number): Promise<void> {
  const { user_id, student_id, amount, currency } = await toldOf(tx, id)
  await notify(tx, [user_id], {
    key: 'transactions.notice_paid_back',
    data: { amount: `${decimalOf(amount)} ${currency}` },
    link: student_id === null ? '/my_money' : '/student-payments',
    ...(student_id !== null && { records: [student_id] }),
  })
}

/** The provider gave it back: the refund is paid. Once, whoever says so. */
export async function refundDone(ctx: Ctx, tx: Tx, id: number, reference: string | null): Promise<void> {
  await holdTransactions(tx, [id])
  const { rows } = await sql<{
    id: number
  }>`update provider_refunds set status = 'done', reference = coalesce(${reference}, reference), error = null,
    answered_at = now(), next_check_at = null, version = version + 1 where refund_id = ${id} and status = 'asked' returning id`.execute(
    tx,
  )
  if (!rows.length) return
  await sql`update transactions set status = 'paid', paid_at = now(), version = version + 1 where id = ${id} and status = 'pending'`.execute(
    tx,
  )
  await tellPaidBack(tx, id)
  await tellAccounts(ctx, tx, [(await toldOf(tx, id)).payer_id])
}

/** The provider did not give it back: what was booked is taken back, and who gave it back is told. */
export async function refundRefused(ctx: Ctx, tx: Tx, id: number, said: string): Promise<void> {
  await holdTransactions(tx, [id])
  const { rows } = await sql<{
    id: number
  }>`update provider_refunds set status = 'refused', error = ${said.slice(0, 300)}, answered_at = now(),
    next_check_at = null, version = version + 1 where refund_id = ${id} and status = 'asked' returning id`.execute(tx)
  if (!rows.length) return
  await cancelTransactions(ctx, tx, [id], `The provider did not take the refund: ${said}`.slice(0, 300))
  const { created_by, amount, currency } = await toldOf(tx, id)
  await notify(tx, [created_by], {
    key: 'transactions.notice_refund_refused',
    data: { amount: `${decimalOf(amount)} ${currency}` },
    link: `/transaction/${id}`,
  })
}

/** News of a payment that says whether the refund that waits for it has happened. */
export async function settleRefund(ctx: Ctx, tx: Tx, payment_id: number, event: ProviderEvent): Promise<void> {
  const { rows } = await sql<{ refund_id: number; amount: number; paid: number; done: number; known: boolean }>`
    select r.refund_id, r.amount::float8 as amount, t.amount::float8 as paid,
      (select coalesce(sum(d.amount), 0) from provider_refunds d where d.payment_id = t.id and d.status = 'done')::float8 as done,
      exists (select from provider_refunds d where d.payment_id = t.id and d.status = 'done' and d.reference = ${event.payment}) as known
    from provider_refunds r join transactions t on t.id = r.payment_id where r.payment_id = ${payment_id} and r.status = 'asked'`.execute(
    tx,
  )
  const [waiting] = rows
  if (!waiting || waiting.known) return
  const { refund_id, amount, paid, done } = waiting
  // A transaction of its own: it is this refund when it gives back as much.
  const own = event.provider === 'paymob' && event.amount !== paid
  const yes = own
    ? event.amount === amount
    : refundHappened(
        { payment: paid, done, amount },
        { status: event.status, refunded: event.refunded ?? null, whole: event.whole ?? null },
      )
  if (yes) await refundDone(ctx, tx, refund_id, own ? event.payment : null)
}

export const askRefundsJob = defineJob({
  name: 'ask-provider-refunds',
  cron: '* * * * *',
  run: async (ctx, _payload: object, { signal }) => ({
    silent: await askRefunds(asSystem(ctx.services, 'asked a payment provider for a refund'), null, signal),
  }),
})
