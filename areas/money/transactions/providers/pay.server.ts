/** Paying an invoice, or an instalment of it, by a provider. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import { reachedPayer } from '#areas/money/ledger/reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { holdTransactions } from '../cancel.server.ts'
import { paymentReferenceOf } from './events.rules.ts'
import { offered } from './offered.server.ts'
import { ProviderDown, ProviderRefused } from './provider.server.ts'
import type { Charge, Created, PaymentProvider } from './provider.server.ts'
import { payCalls } from './providers.contract.ts'
import type { OnlinePayment } from './providers.contract.ts'
import { askProviders } from './settle.server.ts'

/** Hours in which a charge is paid; workflows row 34. */
const HOURS = 48
/** A number or an address that ends so soon is not given to anybody: another one is asked for. */
const SOON = 5 * 60_000
/** Seconds for which somebody else's question to a provider is waited for, and milliseconds between looks. */
const ASKING = 12
const LOOK = 250
/** Most seconds until a charge is asked about first: the provider's own news is quicker. */
const FIRST_CHECK = 120

/** Who pays: whose invoices these are, as SQL over the payer `p` and its student `s`, and in which language. */
export interface OnlinePayer {
  readonly within: RawBuilder<unknown>
  readonly lang: 'ar' | 'en'
}
/** By which keys the own invoices are paid. */
const PAYS = ['pay_online', 'see_own_money'] as const
/** Whoever is signed in and may pay by a provider. */
const reader = (ctx: Ctx): OnlinePayer => ({
  within: reachedPayer(ctx, PAYS),
  lang: ctx.lang === 'ar' ? 'ar' : 'en',
})

interface Owed {
  readonly payer_id: number
  readonly number: string
  readonly currency: string
  readonly open: number
  readonly due: number
  readonly code: string
  readonly name: string
  readonly email: string
  readonly phone: string
}

/**
 * What of an invoice, or of one of its instalments, is open, the invoice held while the unit of work lasts.
 *
 * @throws {Refusal} 404 out of the reader's reach; 409 when nothing is open
 */
async function owedOf(tx: Tx, who: OnlinePayer, invoice: number, installment: number | null): Promise<Owed> {
  await holdPayers(tx, sql`select payer_id from invoices where id = ${invoice}`)
  const { rows } = await sql<Omit<Owed, 'due'> & { reversed: boolean; due: number | null }>`
    select i.payer_id, i.number, i.currency, i.reversed_at is not null as reversed, (b.charged - b.settled)::float8 as open,
      ${
        installment === null
          ? sql`(b.charged - b.settled)::float8`
          : sql`(select greatest(0, least(n.amount, n.until - b.settled))::float8 from (
            select n.id, n.amount, sum(n.amount) over (order by n.position) as until from installments n where n.invoice_id = i.id) n
            where n.id = ${installment})`
      } as due,
      coalesce(s.code, q.code, u.code, p.id::text) as code, coalesce(s.name, q.name, u.name, '') as name, coalesce(u.email, s.email, q.email, '') as email,
      coalesce(s.phone, q.phone, u.phone, '') as phone
    from invoices i join invoice_balances b on b.invoice_id = i.id join payers p on p.id = i.payer_id
      left join students s on s.id = p.student_id left join users u on u.id = coalesce(s.user_id, p.user_id) left join applicants q on q.id = p.applicant_id
    where i.id = ${invoice} and ${who.within} for no key update of i`.execute(tx)
  const [owed] = rows
  if (!owed || owed.due === null) throw refuse(404, 'not_found')
  if (owed.reversed || owed.due <= 0) throw refuse(409, 'invoice_nothing_open')
  return { ...owed, due: owed.due }
}

interface Begun {
  readonly transaction: number
  readonly charge: number
  readonly reference: string
  /** It was asked for before, and is good still. */
  readonly known: boolean
  /** Another device asks for it at this moment. */
  readonly asking: boolean
  readonly expires: Date
}

/** A charge for what is open: the one that is under way, else a new one. Here before the provider hears of it. */
async function begin(
  ctx: Ctx,
  tx: Tx,
  provider: PaymentProvider,
  owed: Owed,
  invoice: number,
  installment: number | null,
): Promise<Begun> {
  const { rows } = await sql<{ id: number; expires_at: string }>`
    select id, expires_at from transactions where invoice_id = ${invoice} and installment_id is not distinct from ${installment}
      and provider = ${provider.name} and status in ('new', 'pending') and amount = ${owed.due} and currency = ${owed.currency}
      and provider_reference is null and expires_at > now() + interval '10 minutes' order by id desc limit 1 for no key update`.execute(
    tx,
  )
  const expires = rows[0] ? new Date(rows[0].expires_at) : new Date(Date.now() + HOURS * 3_600_000)
  const transaction = rows[0]?.id ?? (await addTransaction(ctx, tx, provider, owed, invoice, installment, expires))
  const last = await sql<{ id: number; reference: string; answered: boolean; asking: boolean; expires_at: string }>`
    select id, reference, answered_at is not null as answered, expires_at,
      answered_at is null and error is null and updated_at > now() - make_interval(secs => ${ASKING}) as asking
    from provider_charges where transaction_id = ${transaction} order by id desc limit 1`.execute(tx)
  const [charge] = last.rows
  if (charge && (!charge.answered || Date.parse(charge.expires_at) > Date.now() + SOON)) {
    const { id, reference, answered, asking } = charge
    if (!answered && !asking)
      await sql`update provider_charges set updated_at = now(), error = null where id = ${id}`.execute(tx)
    return { transaction, charge: id, reference, known: answered, asking, expires }
  }
  return { ...(await addCharge(tx, provider, transaction, expires)), transaction, known: false, asking: false, expires }
}

async function addTransaction(
  ctx: Ctx,
  tx: Tx,
  { name, way }: PaymentProvider,
  owed: Owed,
  invoice: number,
  installment: number | null,
  expires: Date,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into transactions (payer_id, way, currency, amount, status, provider, invoice_id, installment_id, expires_at, created_by)
    values (${owed.payer_id}, ${way}, ${owed.currency}, ${owed.due}, 'new', ${name}, ${invoice}, ${installment}, ${expires},
      ${ctx.actor?.user_id ?? null}) returning id`.execute(tx)
  return firstRow(rows).id
}
async function addCharge(
  tx: Tx,
  { name }: PaymentProvider,
  transaction: number,
  expires: Date,
): Promise<{ charge: number; reference: string }> {
  const reference = paymentReferenceOf(randomBytes(13))
  const { rows } = await sql<{ id: number }>`
    with added as (insert into provider_charges (transaction_id, provider, reference, expires_at, next_check_at)
      values (${transaction}, ${name}, ${reference}, ${expires}, now() + make_interval(secs => ${FIRST_CHECK})) returning id),
    named as (update transactions set reference = ${reference} where id = ${transaction} returning id)
    select a.id from added a, named`.execute(tx)
  return { charge: firstRow(rows).id, reference }
}

/** Asks the provider; once more by another reference where it knows this one for an order that nobody can pay. */
async function ask(
  ctx: Ctx,
  provider: PaymentProvider,
  begun: Begun,
  charge: Omit<Charge, 'reference'>,
): Promise<{ begun: Begun; made: Created }> {
  try {
    return { begun, made: await provider.create({ ...charge, reference: begun.reference }) }
  } catch (error) {
    if (!(error instanceof ProviderRefused) || error.code !== '422') throw error
    const again = await ctx.write((tx) => addCharge(tx, provider, begun.transaction, begun.expires))
    const next = { ...begun, ...again }
    return { begun: next, made: await provider.create({ ...charge, reference: next.reference }) }
  }
}

/**
 * Begins to pay by a provider, or goes on where it was begun: the same reference number, the same page. Two devices at once get
 * the same. The provider is asked outside of any transaction; what it answers is written afterwards, or by its own news.
 *
 * @throws {Refusal} 404, 409; 503 `payment_provider_silent` when it does not answer: nothing is lost, ask again
 */
export async function payOnline(
  ctx: Ctx,
  who: OnlinePayer,
  invoice: number,
  { way, installment_id = null }: { way: 'card' | 'mobile'; installment_id?: number | null | undefined },
): Promise<OnlinePayment> {
  const beginNow = () =>
    ctx.write(async (tx) => {
      const provider = (await offered(ctx.services, tx)).find((one) => one.way === way)
      if (!provider) throw refuse(409, 'provider_not_offered')
      const owed = await owedOf(tx, who, invoice, installment_id)
      if (!provider.currencies.includes(owed.currency))
        throw refuse(409, 'provider_currency', { currency: owed.currency })
      return { owed, provider, begun: await begin(ctx, tx, provider, owed, invoice, installment_id) }
    })
  let { owed, provider, begun } = await beginNow()
  while (begun.asking) {
    await sleep(LOOK)
    ;({ owed, provider, begun } = await beginNow())
  }
  if (begun.known) return onlinePayment(ctx, who, begun.transaction)
  try {
    const { begun: asked, made } = await ask(ctx, provider, begun, {
      amount: owed.due,
      currency: owed.currency,
      expires: begun.expires,
      what: owed.number,
      lang: who.lang,
      payer: owed,
    })
    await ctx.write((tx) => answered(tx, asked, made))
  } catch (error) {
    if (!(error instanceof ProviderDown || error instanceof ProviderRefused)) throw error
    const down = error instanceof ProviderDown
    await ctx.write(async (tx) => {
      await sql`update provider_charges set error = ${error.message.slice(0, 300)}, updated_at = now(),
        next_check_at = case when ${down} then next_check_at end where id = ${begun.charge}`.execute(tx)
      if (!down)
        await sql`update transactions set status = 'failed', reason = ${error.message.slice(0, 300)}
        where id = ${begun.transaction} and status = 'new'`.execute(tx)
    })
    ctx.http?.request.log.warn(
      { provider: provider.name, said: error.message },
      'a payment provider did not take a charge',
    )
    throw down ? refuse(503, 'payment_provider_silent') : refuse(409, 'payment_refused')
  }
  return onlinePayment(ctx, who, begun.transaction)
}

/** The provider's answer. Its news may have been quicker: what is paid stays paid. */
const answered = async (tx: Tx, { charge, transaction }: Begun, made: Created) => {
  await holdTransactions(tx, [transaction])
  await sql`with told as (update provider_charges set order_number = ${made.order}, number = ${made.number}, link = ${made.link},
      expires_at = ${made.expires}, answered_at = now(), error = null, updated_at = now() where id = ${charge} returning id)
    update transactions t set status = 'pending', version = t.version + 1 from told where t.id = ${transaction} and t.status = 'new'`.execute(
    tx,
  )
}

/** How a payment by a provider stands. */
export async function onlinePayment(ctx: Ctx, { within }: OnlinePayer, transaction: number): Promise<OnlinePayment> {
  const { rows } = await sql<OnlinePayment>`
    select t.id, t.number, t.status, t.way, t.provider, t.currency, t.amount::float8 as amount, t.invoice_id, c.number as pay_number,
      case when t.status in ('new', 'pending', 'failed') then c.link end as link, coalesce(c.expires_at, t.expires_at) as expires_at
    from transactions t left join lateral (select c.number, c.link, c.expires_at from provider_charges c where c.transaction_id = t.id
      and c.answered_at is not null order by c.id desc limit 1) c on true
    join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
    where t.id = ${transaction} and t.way in ('card', 'mobile') and ${within}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const pay = handle(payCalls.payOnline, async (ctx, { params, body }) => ({
  data: await payOnline(ctx, reader(ctx), params.id, body),
}))

/** What of an invoice can be paid by a provider, and what is under way. */
const payable = handle(payCalls.payable, async (ctx, { params }) => {
  const { rows } = await sql<{ currency: string; open: number }>`
    select i.currency, case when i.reversed_at is null then b.charged - b.settled else 0 end::float8 as open
    from invoices i join invoice_balances b on b.invoice_id = i.id join payers p on p.id = i.payer_id left join students s on s.id = p.student_id
    where i.id = ${params.id} and ${reachedPayer(ctx, PAYS)}`.execute(ctx.db)
  const [invoice] = rows
  if (!invoice) throw refuse(404, 'not_found')
  const ways = await waysOffered(ctx, invoice.currency)
  return {
    data: { ...invoice, ways: invoice.open > 0 ? ways : [], under_way: await underWay(ctx, reader(ctx), params.id) },
  }
})

/** The ways by which a currency can be paid online now. */
export const waysOffered = async (ctx: Ctx, currency: string): Promise<('card' | 'mobile')[]> =>
  (await offered(ctx.services, ctx.db)).filter((one) => one.currencies.includes(currency)).map(({ way }) => way)

/** Payments of an invoice by a provider that are under way, or ended within the hour. */
export async function underWay(ctx: Ctx, who: OnlinePayer, invoice: number): Promise<OnlinePayment[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from transactions where invoice_id = ${invoice} and way in ('card', 'mobile')
    and direction = 'in' and (status in ('new', 'pending') or updated_at > now() - interval '1 hour') order by id desc limit 10`.execute(
    ctx.db,
  )
  return Promise.all(rows.map(({ id }) => onlinePayment(ctx, who, id)))
}

/** Asks the provider now what became of the payments of an invoice that are under way. */
const checkPayment = handle(payCalls.checkPayment, async (ctx, { params }) => {
  const who = reader(ctx)
  const before = await underWay(ctx, who, params.id)
  const open = before.filter(({ status }) => status !== 'paid').map(({ id }) => id)
  // Who may look at it may ask; what is booked is booked by the system.
  if (!before.length) {
    const { rows } =
      await sql`select from invoices i join payers p on p.id = i.payer_id left join students s on s.id = p.student_id
      where i.id = ${params.id} and ${reachedPayer(ctx, PAYS)}`.execute(ctx.db)
    if (!rows.length) throw refuse(404, 'not_found')
  }
  const silent = open.length ? await askProviders(asSystem(ctx.services, 'asked a payment provider'), open) : 0
  return { data: { payments: await underWay(ctx, who, params.id), answered: silent === 0 } }
})

/** One payment, for the page to which a browser comes back; asks the provider when it is still open. */
const onlineOne = handle(payCalls.onlinePayment, async (ctx, { params }) => {
  const { payment } = await askedPayment(ctx, reader(ctx), params.id)
  return { data: payment }
})

/** One payment, after its provider was asked where it is still open; `answered`: false where that does not answer just now. */
export async function askedPayment(
  ctx: Ctx,
  who: OnlinePayer,
  id: number,
): Promise<{ payment: OnlinePayment; answered: boolean }> {
  const one = await onlinePayment(ctx, who, id)
  if (one.status !== 'new' && one.status !== 'pending') return { payment: one, answered: true }
  const silent = await askProviders(asSystem(ctx.services, 'asked a payment provider'), [one.id])
  return { payment: await onlinePayment(ctx, who, id), answered: silent === 0 }
}

/** What who works here still owes, each invoice with the ways by which it can be paid online now. */
const ownOpen = handle(payCalls.ownOpen, async (ctx) => {
  const { rows } = await sql<{
    id: number
    number: string
    name: string
    name_local: string
    currency: string
    open: number
    due_on: string | null
  }>`select i.id, i.number, l.name, l.name_local, i.currency, (b.charged - b.settled)::float8 as open,
      (select min(n.due_date)::text from (select due_date, sum(amount) over (order by position) as until from installments where invoice_id = i.id) n
        where n.until > b.settled) as due_on
    from payers p join invoices i on i.payer_id = p.id and i.reversed_at is null join invoice_balances b on b.invoice_id = i.id
      join lateral (select name, name_local from invoice_lines where invoice_id = i.id order by position limit 1) l on true
    where p.user_id = ${ctx.actor?.user_id ?? null}::int and b.charged > b.settled order by due_on, i.id`.execute(
    ctx.db,
  )
  const ways = new Map<string, Awaited<ReturnType<typeof waysOffered>>>()
  for (const { currency } of rows) if (!ways.has(currency)) ways.set(currency, await waysOffered(ctx, currency))
  return { data: rows.map((row) => ({ ...row, ways: ways.get(row.currency) ?? [] })) }
})

export const payHandlers: readonly Handled[] = [pay, payable, checkPayment, onlineOne, ownOpen]
