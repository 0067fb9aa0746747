/** What providers say, judged and booked: each in a transaction of its own that also says so, so that it has happened once or will. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { asRefusal } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { bookTransactions } from '../book.server.ts'
import { holdTransactions } from '../cancel.server.ts'
import { decimalOf } from './amounts.rules.ts'
import { REFERENCE, judgeEvent } from './events.rules.ts'
import type { Charged, ProviderEvent, ProviderName, Verdict } from './events.rules.ts'
import { providerNamed } from './offered.server.ts'
import { ProviderDown } from './provider.server.ts'
import { settleRefund } from './refund.server.ts'

interface Waiting {
  /** A `bigint`: as text. */
  readonly id: string
  readonly provider: ProviderName
  readonly tries: number
  readonly query: string
  readonly body: Buffer
}
interface ChargeRow {
  readonly id: number
  readonly reference: string
  readonly order_number: string | null
  readonly transaction_id: number
  readonly status: Charged['status']
  readonly amount: number
  readonly currency: string
  readonly payment: string | null
  readonly user_id: number | null
  readonly student_id: number | null
  readonly refunding: boolean
}

/** The transaction that the event is about, held, with its charge; null where nothing of it is known. */
async function chargeOf(tx: Tx, event: ProviderEvent): Promise<ChargeRow | null> {
  const byReference = event.reference_signed && event.reference !== null && REFERENCE.test(event.reference)
  const about = sql`c.provider = ${event.provider} and (c.order_number = ${event.order} or (${byReference} and c.reference = ${event.reference}))`
  await holdTransactions(
    tx,
    (
      await sql<{ id: number }>`select c.transaction_id as id from provider_charges c where ${about}`.execute(tx)
    ).rows.map(({ id }) => id),
  )
  const { rows } = await sql<ChargeRow>`
    select c.id, c.reference, c.order_number, t.id as transaction_id, t.status, t.amount::float8 as amount, t.currency,
      t.provider_reference as payment, coalesce(s.user_id, p.user_id) as user_id, p.student_id,
      exists (select from provider_refunds r join transactions x on x.id = r.refund_id
        where r.payment_id = t.id and r.status <> 'refused' and x.status not in ('cancelled', 'rejected')) as refunding
    from provider_charges c join transactions t on t.id = c.transaction_id join payers p on p.id = t.payer_id
      left join students s on s.id = p.student_id
    where ${about}
    order by c.order_number is not distinct from ${event.order} desc limit 1 for no key update of t, c`.execute(tx)
  const [found] = rows
  // Our reference with another order than we know of: not what was agreed.
  return found && (found.order_number === null || found.order_number === event.order) ? found : null
}

/** A callback whose reference nobody signed came before our own answer was stored: which charge it may be about. */
async function unanswered(tx: Tx, { provider, reference, reference_signed }: ProviderEvent): Promise<string | null> {
  if (reference_signed || reference === null || !REFERENCE.test(reference)) return null
  const { rows } = await sql`select from provider_charges
    where provider = ${provider} and reference = ${reference} and order_number is null`.execute(tx)
  return rows.length ? reference : null
}

interface Judged {
  readonly verdict: Verdict
  readonly charge: ChargeRow | null
  readonly booked: boolean
}

/** Judges an event and does what follows from it. */
async function settle(ctx: Ctx, tx: Tx, event: ProviderEvent): Promise<Judged> {
  const charge = await chargeOf(tx, event)
  // The same payment under another charge: booked there already.
  const { rows: elsewhere } = await sql`select from transactions where provider = ${event.provider}
    and provider_reference = ${event.payment} and id <> ${charge?.transaction_id ?? 0}`.execute(tx)
  let verdict = elsewhere.length && event.status === 'paid' ? 'repeated' : judgeEvent(event, charge)
  if (verdict === 'refunded' && charge?.refunding) verdict = 'recorded'
  if (!charge) return { verdict, charge, booked: false }
  // What was not answered may have happened.
  if (event.status === 'refunded') await settleRefund(ctx, tx, charge.transaction_id, event)
  await sql`update provider_charges set order_number = coalesce(order_number, ${event.order}), updated_at = now(),
      number = case when provider = 'fawry' then coalesce(number, ${event.order}) else number end
    where id = ${charge.id} and order_number is null`.execute(tx)
  if (verdict === 'booked' || verdict === 'booked_late') {
    await sql`update transactions set provider = ${event.provider}, provider_reference = ${event.payment}
      where id = ${charge.transaction_id}`.execute(tx)
    await sql`update provider_charges set next_check_at = null, updated_at = now() where transaction_id = ${charge.transaction_id}`.execute(
      tx,
    )
    await bookTransactions(ctx, tx, [charge.transaction_id])
    await tellPaid(tx, charge, event)
    return { verdict, charge, booked: true }
  }
  if (verdict === 'recorded' && (event.status === 'failed' || event.status === 'expired'))
    await end(ctx, tx, charge, event.status)
  return { verdict, charge, booked: false }
}

const tellPaid = (tx: Tx, { user_id, student_id, transaction_id }: ChargeRow, { amount, currency }: ProviderEvent) =>
  notify(tx, [user_id], {
    key: 'transactions.notice_paid',
    data: { amount: `${decimalOf(amount)} ${currency}` },
    link: `/payments/paid/${transaction_id}`,
    ...(student_id !== null && { records: [student_id] }),
  })

/** A charge that nobody paid. */
async function end(
  ctx: Ctx,
  tx: Tx,
  { transaction_id, user_id }: Pick<ChargeRow, 'transaction_id' | 'user_id'>,
  status: 'failed' | 'expired',
): Promise<void> {
  const { numAffectedRows } = await sql`update transactions set status = ${status}, version = version + 1
    where id = ${transaction_id} and status in ('new', 'pending')`.execute(tx)
  if (numAffectedRows && user_id !== null) await ctx.services.events.publish(user_id, { type: 'account' }, tx)
}

const write = (
  tx: Tx,
  id: string,
  event: ProviderEvent | null,
  { verdict, charge, booked }: Omit<Judged, 'verdict'> & { verdict: string },
) =>
  sql`update provider_events set verdict = ${verdict}, judged_at = now(), error = null, charge_id = ${charge?.id ?? null},
      event_id = ${event?.event_id ?? null}, reference = ${event?.reference ?? null}, order_number = ${event?.order ?? null},
      payment = ${event?.payment ?? null}, status = ${event?.status ?? null}, amount = ${event?.amount ?? null},
      currency = ${event?.currency ?? null}, fee = ${event?.fee ?? null},
      transaction_id = ${booked ? (charge?.transaction_id ?? null) : null}
    where id = ${id}`.execute(tx)

/** Seconds until an event that could not be judged is tried again. */
const waitAfter = (tries: number): number => Math.min(3600, 5 * 2 ** Math.min(tries, 10))

/** Judges the next callback that waits; false when none does. Whoever does the same takes another one. */
async function settleNext(ctx: Ctx): Promise<boolean> {
  let taken: Waiting | undefined
  let ask: { id: string; provider: ProviderName; reference: string; tries: number } | undefined
  try {
    await ctx.write(async (tx) => {
      const { rows } = await sql<Waiting>`
        select e.id, e.provider, e.tries, c.query, c.body from provider_events e join provider_callbacks c on c.id = e.callback_id
        where e.verdict is null and e.not_before <= now() order by e.not_before, e.id limit 1 for update of e skip locked`.execute(
        tx,
      )
      taken = rows[0]
      if (!taken) return
      const { id, provider, tries } = taken
      const read = providerNamed(ctx.services, provider)?.readCallback({
        query: Object.fromEntries(new URLSearchParams(taken.query)),
        body: taken.body,
      })
      if (read === undefined) throw new Error(`${provider} is not set up any more`)
      if (typeof read === 'string')
        return void (await write(tx, id, null, { verdict: read, charge: null, booked: false }))
      const reference = await unanswered(tx, read)
      if (reference) {
        ask = { id, provider, reference, tries }
        return
      }
      await write(tx, id, read, await settle(ctx, tx, read))
    })
    if (ask) await askInstead(ctx, ask)
  } catch (error) {
    if (!taken) throw error
    await postpone(ctx, taken, error)
  }
  return taken !== undefined
}

/** What could not be signed for us is asked for. */
async function askInstead(
  ctx: Ctx,
  { id, provider, reference, tries }: { id: string; provider: ProviderName; reference: string; tries: number },
): Promise<void> {
  const event = await providerNamed(ctx.services, provider)!.status({ reference, order: null })
  await ctx.write(async (tx) => {
    const { rows } = await sql`select from provider_events where id = ${id} and verdict is null for update`.execute(tx)
    if (!rows.length) return
    if (event) await write(tx, id, event, await settle(ctx, tx, event))
    // The provider knows nothing of it, or not yet.
    else if (tries >= 5) await write(tx, id, null, { verdict: 'unknown', charge: null, booked: false })
    else
      await sql`update provider_events set tries = tries + 1, not_before = now() + make_interval(secs => ${waitAfter(tries)}) where id = ${id}`.execute(
        tx,
      )
  })
}

/** What failed is tried again later; the others go on. */
async function postpone(ctx: Ctx, { id, tries }: Waiting, error: unknown): Promise<void> {
  const said = asRefusal(error)?.message ?? (error as Error).message
  await ctx.write((tx) =>
    sql`update provider_events set tries = tries + 1, error = ${said.slice(0, 300)},
      not_before = now() + make_interval(secs => ${waitAfter(tries)}) where id = ${id} and verdict is null`.execute(tx),
  )
}

/** Judges everything that waits, in whichever process this is; how much it was. */
export async function settleEvents(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  let done = 0
  while (!signal?.aborted && (await settleNext(ctx))) done++
  return done
}

// --- Asking -----------------------------------------------------------------------------------------------------------

interface Due {
  readonly id: number
  readonly provider: ProviderName
  readonly reference: string
  readonly order_number: string | null
  /** Nobody has to pay it any more. */
  readonly unneeded: boolean
  readonly lang: 'ar' | 'en'
}

/**
 * SQL: less is owed than charge `c` of transaction `t` asks for, or it was cancelled here. Somebody paid otherwise, the invoice was
 * reversed or charges less; at the provider it can be paid until it ends.
 */
const UNNEEDED =
  sql.raw(`c.expires_at > now() and (t.status = 'cancelled' or t.status in ('new', 'pending') and t.invoice_id is not null and t.amount > coalesce((
  select case when i.reversed_at is not null then 0 when t.installment_id is null then b.charged - b.settled
    else (select greatest(0, least(n.amount, n.until - b.settled)) from (
      select n.id, n.amount, sum(n.amount) over (order by n.position) as until from installments n where n.invoice_id = i.id) n where n.id = t.installment_id) end
  from invoices i join invoice_balances b on b.invoice_id = i.id where i.id = t.invoice_id), 0))`)
/** Providers whose charges are cancelled there. */
const CANCELS: readonly ProviderName[] = ['fawry']

/** Charges that are asked about at once, in one process. */
const MOST_AT_ONCE = 20

/**
 * Takes charges whose time has come, and sets their next: minutes at first, then less often. A week after it ended there, nobody
 * asks any more.
 */
const takeDue = (ctx: Ctx, of: readonly number[] | null): Promise<Due[]> =>
  ctx.write(async (tx) => {
    const { rows } = await sql<Due>`
      with due as (
        select c.id, c.provider = any(${[...CANCELS]}::text[]) and c.order_number is not null and ${UNNEEDED} as unneeded,
          case when coalesce(u.language, q.language) = 'ar' then 'ar' else 'en' end as lang
        from provider_charges c join transactions t on t.id = c.transaction_id join payers p on p.id = t.payer_id
          left join students s on s.id = p.student_id left join users u on u.id = coalesce(s.user_id, p.user_id) left join applicants q on q.id = p.applicant_id
        where ${
          of === null
            ? sql`(c.next_check_at <= now() or c.next_check_at is not null and c.provider = any(${[...CANCELS]}::text[]) and c.order_number is not null
              and coalesce(c.checked_at < now() - interval '2 minutes', true) and ${UNNEEDED})`
            : // Somebody waits for it: at once, but not every second.
              sql`c.transaction_id = any(${[...of]}::int[]) and c.next_check_at is not null and coalesce(c.checked_at < now() - interval '3 seconds', true)`
        }
        order by c.next_check_at limit ${MOST_AT_ONCE} for update of c skip locked)
      update provider_charges c set checks = c.checks + 1, checked_at = now(), updated_at = now(),
        next_check_at = case when c.expires_at < now() - interval '7 days' then null
          else now() + make_interval(mins => least(720, (array[2, 5, 10, 20, 40])[least(c.checks + 1, 5)] * greatest(1, c.checks - 3))) end
      from due where c.id = due.id returning c.id, c.provider, c.reference, c.order_number, due.unneeded, due.lang`.execute(
      tx,
    )
    return rows
  })

/** Writes down what a provider answered where it changes something, and ends what nobody paid in time. */
async function settleAnswer(ctx: Ctx, { id, provider, unneeded }: Due, event: ProviderEvent | null): Promise<void> {
  await ctx.write(async (tx) => {
    const { rows: of } = await sql<{
      transaction_id: number
    }>`select transaction_id from provider_charges where id = ${id}`.execute(tx)
    await holdTransactions(tx, [of[0]!.transaction_id])
    const { rows } = await sql<Pick<ChargeRow, 'transaction_id' | 'status' | 'user_id'> & { over: boolean }>`
      select t.id as transaction_id, t.status, coalesce(s.user_id, p.user_id) as user_id, t.expires_at < now() as over
      from provider_charges c join transactions t on t.id = c.transaction_id join payers p on p.id = t.payer_id
        left join students s on s.id = p.student_id where c.id = ${id} for no key update of t, c`.execute(tx)
    const row = firstRow(rows)
    const open = row.status === 'new' || row.status === 'pending'
    // What has ended there cannot be paid any more, and is not asked about so soon again.
    const ended = unneeded && event !== null
    await sql`update provider_charges set error = null, expires_at = case when ${ended} then least(expires_at, now()) else expires_at end
      where id = ${id} and (error is not null or ${ended})`.execute(tx)
    if (event && event.status !== 'waiting') {
      const judged = await settle(ctx, tx, event)
      if (judged.verdict === 'repeated' || judged.verdict === 'outdated') return
      const { rows: same } =
        await sql`select from provider_events where provider = ${provider} and payment = ${event.payment}
        and status = ${event.status} and verdict = ${judged.verdict}`.execute(tx)
      if (same.length) return
      const { rows: added } = await sql<{
        id: string
      }>`insert into provider_events (provider) values (${provider}) returning id`.execute(tx)
      await write(tx, added[0]!.id, event, judged)
    } else if (open && row.over) await end(ctx, tx, row, 'expired')
    else if (event && row.status === 'new') {
      // Our own answer was lost, and the charge is there.
      await sql`update provider_charges set order_number = ${event.order}, answered_at = now(),
        number = case when provider = 'fawry' then ${event.order} end where id = ${id} and order_number is null`.execute(
        tx,
      )
      if (provider === 'fawry')
        await sql`update transactions set status = 'pending' where id = ${row.transaction_id}`.execute(tx)
    }
  })
}

/** A charge was cancelled at its provider because nobody has to pay it. Should money come all the same, it is booked late. */
const endUnneeded = (ctx: Ctx, { id }: Due) =>
  ctx.write(async (tx) => {
    const { rows: of } = await sql<{
      transaction_id: number
    }>`update provider_charges set error = null, expires_at = least(expires_at, now()), updated_at = now()
      where id = ${id} returning transaction_id`.execute(tx)
    const { transaction_id } = firstRow(of)
    await holdTransactions(tx, [transaction_id])
    const { rows } = await sql<{ user_id: number | null }>`
      select coalesce(s.user_id, p.user_id) as user_id from transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
      where t.id = ${transaction_id}`.execute(tx)
    await end(ctx, tx, { transaction_id, user_id: firstRow(rows).user_id }, 'expired')
  })

/**
 * Asks providers what became of charges: of those whose time has come, or of these transactions. Those that nobody has to pay any
 * more are cancelled there. What cannot be answered now is
 * asked later; how many providers did not answer.
 */
export async function askProviders(
  ctx: Ctx,
  of: readonly number[] | null = null,
  signal?: AbortSignal,
): Promise<number> {
  let silent = 0
  for (;;) {
    const due = await takeDue(ctx, of)
    for (const one of due) {
      if (signal?.aborted) return silent
      const provider = providerNamed(ctx.services, one.provider)
      if (!provider) continue
      try {
        const event = await provider.status({ reference: one.reference, order: one.order_number })
        if (one.unneeded && event?.status === 'waiting' && provider.cancel) {
          await provider.cancel({ reference: one.reference, order: event.order, lang: one.lang })
          await endUnneeded(ctx, one)
        } else await settleAnswer(ctx, one, event)
      } catch (error) {
        silent++
        const said = error instanceof ProviderDown ? error.message : `not settled: ${(error as Error).message}`
        await ctx.write((tx) =>
          sql`update provider_charges set error = ${said.slice(0, 300)} where id = ${one.id}`.execute(tx),
        )
      }
    }
    if (of !== null || due.length < MOST_AT_ONCE) return silent
  }
}

// --- Jobs -------------------------------------------------------------------------------------------------------------

/** Sent with every callback that waits, and by the clock for what no job was left of. */
export const settleJob = defineJob({
  name: 'settle-provider-events',
  concurrency: 2,
  retries: 3,
  cron: '* * * * *',
  run: async (ctx, _payload: object, { signal }) => ({
    settled: await settleEvents(asSystem(ctx.services, 'what a payment provider said'), signal),
  }),
})
export const askJob = defineJob({
  name: 'ask-payment-providers',
  cron: '* * * * *',
  run: async (ctx, _payload: object, { signal }) => ({
    silent: await askProviders(asSystem(ctx.services, 'asked a payment provider'), null, signal),
  }),
})
