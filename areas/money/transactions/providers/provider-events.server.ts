/** What providers said, for people: what was booked by itself, and what waits for a decision. */
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { PAYER_SEARCH, otherPayer, payerJoins, reachedPayer } from '#areas/money/ledger/reach.server.ts'
import { handle } from '#kit/server/base/context.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { bookTransactions } from '../book.server.ts'
import { providerEventCalls as calls } from './providers.contract.ts'
import type { ProviderEventRow } from './providers.contract.ts'

const KEY = 'decide_provider_event'
const OPEN = sql`(t.verdict in ('unknown', 'differs', 'again', 'ended', 'refunded') and t.decision is null)`
const PEOPLE = sql.raw('(select id, name, name_local, null::text as code from users)')

/** What is about nobody is seen by who sees everybody. */
const seen = (ctx: Ctx): RawBuilder<unknown> =>
  reachesAll(ctx, KEY) ? sql`true` : sql`p.id is not null and ${reachedPayer(ctx, KEY)}`

const FROM = sql`provider_events t left join provider_charges c on c.id = t.charge_id left join transactions a on a.id = c.transaction_id
  left join payers p on p.id = a.payer_id left join students s on s.id = p.student_id ${payerJoins()}
  left join transactions b on b.id = t.transaction_id left join ${PEOPLE} d on d.id = t.decided_by`
const SELECT = sql`t.id::float8 as id, t.last_at as at, t.provider, coalesce(t.verdict, 'waiting') as verdict, ${OPEN} as open, t.times, t.error,
  t.reference, t.payment, t.status, t.amount::float8 as amount, t.currency,
  case when a.id is not null then json_build_object('transaction_id', a.id, 'number', a.number, 'amount', a.amount, 'currency', a.currency,
    'invoice_id', a.invoice_id) end as asked, ${refOrNull('s')} as student, ${otherPayer()} as payer,
  case when b.id is not null then json_build_object('id', b.id, 'number', b.number) end as booked,
  t.decision, ${refOrNull('d')} as decided_by, t.reason, t.version`

const words = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())
const list = handle(calls.providerEvents, (ctx, { body }) =>
  pagedList<ProviderEventRow>(
    ctx,
    {
      from: FROM,
      select: SELECT,
      where: [seen(ctx)],
      search: [`fold_text(concat_ws(' ', t.reference, t.order_number, t.payment, a.number))`, ...PAYER_SEARCH],
      sort: { at: 't.last_at', amount: 't.amount' },
      neverNull: new Set(['at']),
      order: ['at', 'desc'],
      filters: {
        verdict: (value) =>
          sql`coalesce(t.verdict, 'waiting') = any(${parse(words, value, ['filters', 'verdict'])}::text[])`,
        provider: (value) => sql`t.provider = any(${parse(words, value, ['filters', 'provider'])}::text[])`,
        open: (value) => (value === true || value === 'true' ? OPEN : sql`not ${OPEN}`),
      },
    },
    body,
  ),
)

async function rowOf(ctx: Ctx, id: number): Promise<ProviderEventRow> {
  const { rows } =
    await sql<ProviderEventRow>`select ${SELECT} from ${FROM} where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const one = handle(calls.providerEvent, async (ctx, { params }) => {
  const row = await rowOf(ctx, params.id)
  const { rows } = await sql<{
    query: string
    body: Buffer
    headers: Record<string, string>
    ip: string | null
    hash: Buffer
  }>`
    select c.query, c.body, c.headers, host(c.ip) as ip, c.hash from provider_callbacks c
    join provider_events e on e.callback_id = c.id where e.id = ${params.id}`.execute(ctx.db)
  const [came] = rows
  return {
    data: {
      ...row,
      came: came
        ? { ...came, body: came.body.toString('utf8').replaceAll('\0', '\uFFFD'), hash: came.hash.toString('hex') }
        : null,
    },
  }
})

/**
 * A person's decision on what the program does not book: book what came, to the payer it was asked of, as a transaction of its own;
 * or close it. Once, whoever else looks.
 */
const decide = handle(calls.decideProviderEvent, async (ctx, { params, body }) => {
  await ctx.write(
    async (tx) => {
      await rowOf(ctx, params.id)
      const { rows } = await sql<{
        open: boolean
        version: number
        provider: string
        payment: string
        status: string
        amount: number
        currency: string
        payer_id: number | null
        way: string | null
        invoice_id: number | null
      }>`select ${OPEN} as open, t.version, t.provider, t.payment, t.status, t.amount::float8 as amount, t.currency, a.payer_id, a.way, a.invoice_id
        from provider_events t left join provider_charges c on c.id = t.charge_id left join transactions a on a.id = c.transaction_id
        where t.id = ${params.id} for update of t`.execute(tx)
      const event = firstRow(rows)
      if (!event.open) throw refuse(409, 'provider_event_decided')
      if (body.version !== undefined && body.version !== event.version) throw refuse(409, 'changed_meanwhile')
      await refuseOwn(ctx, tx, sql`${event.payer_id}::int`)
      let booked: number | null = null
      if (body.decision === 'book') {
        if (event.payer_id === null || event.status !== 'paid') throw refuse(409, 'provider_event_not_bookable')
        const added = await sql<{ id: number }>`
          insert into transactions (payer_id, way, currency, amount, status, provider, provider_reference, invoice_id, note, decided_by, created_by)
          values (${event.payer_id}, ${event.way}, ${event.currency}, ${event.amount}, 'new', ${event.provider}, ${event.payment},
            ${event.invoice_id}, ${body.reason}, ${actorIn(ctx).user_id}, ${actorIn(ctx).user_id}) returning id`.execute(
          tx,
        )
        booked = firstRow(added.rows).id
        await bookTransactions(ctx, tx, [booked])
      }
      await sql`update provider_events set decision = ${body.decision}, decided_by = ${actorIn(ctx).user_id}, decided_at = now(),
        reason = ${body.reason}, transaction_id = coalesce(${booked}::int, transaction_id), version = version + 1 where id = ${params.id}`.execute(
        tx,
      )
    },
    { reason: body.reason },
  )
  return { data: await rowOf(ctx, params.id) }
})

export const providerEventHandlers: readonly Handled[] = [list, one, decide]

/** Messages that wait for a person. */
export const providerEventWork: readonly WorkSource[] = [
  {
    permissions: [KEY],
    waiting: (ctx) => sql`
      select 'transactions.work_provider_events', jsonb_build_object('count', count(*)), '/transactions/provider-events', min(t.last_at), null::timestamptz
      from ${FROM} where ${OPEN} and ${seen(ctx)} having count(*) > 0`,
  },
]
