/** What the ledger has and what banks say, by day and account, and what of both is not explained by the other. */
import { requireWhole } from '#areas/money/ledger/reach.server.ts'
import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { MOST_UNEXPLAINED, reconciliationCalls } from './batch.contract.ts'
import type { Reconciled, Unexplained } from './batch.contract.ts'
import { payerOf, readLines, shownLine, UNEXPLAINED } from './rows.server.ts'

const LONGEST = 400
const USUAL = 31

/** The day on which the bank moved it: of an entry whose period was closed by then, not that on which it is booked. */
const ownDay = (alias: string) => `coalesce(${alias}.happened_on, ${alias}.booked_on)`
const OWN_DAY = sql.raw(ownDay('e'))
/** Entries that were turned round on the day on which they stand say nothing of it: the entry is `e`. */
const STANDS = sql`not exists (select from ledger_entries r where r.reversal_of = e.id and ${sql.raw(ownDay('r'))} = ${OWN_DAY})
  and not exists (select from ledger_entries o where o.id = e.reversal_of and ${sql.raw(ownDay('o'))} = ${OWN_DAY})`

export const reconciliationHandlers: readonly Handled[] = [
  handle(reconciliationCalls.list, async (ctx, { body: { bank_id = null, open, ...days } }) => {
    requireWhole(ctx, 'access_reconciliation')
    const { rows: span } = await sql<{ from: string; to: string; long: boolean }>`
      select x.f::text as "from", x.t::text as "to", x.t - x.f > ${LONGEST} or x.t < x.f as long from (
        select coalesce(${days.from ?? null}::date, coalesce(${days.to ?? null}::date, university_today()) - ${USUAL}::int) as f,
          coalesce(${days.to ?? null}::date, university_today()) as t) x`.execute(ctx.db)
    const { from, to, long } = span[0]!
    if (long) throw refuse(422, 'reconciliation_days', { days: LONGEST }, 'to')
    const { rows } = await sql<Reconciled>`
      with booked as (
        select k.id as bank_id, ${OWN_DAY} as day, sum(p.amount) filter (where p.amount > 0) as came, -sum(p.amount) filter (where p.amount < 0) as went
        from banks k join ledger_postings p on p.account_id = k.ledger_account_id join ledger_entries e on e.id = p.entry_id
        where ${OWN_DAY} between ${from}::date and ${to}::date and (${bank_id}::int is null or k.id = ${bank_id}) and ${STANDS} group by 1, 2),
      said as (
        select t.bank_id, t.booked_on as day, sum(t.amount) filter (where t.direction = 'in') as came, sum(t.amount) filter (where t.direction = 'out') as went,
          count(*) filter (where ${sql.raw(UNEXPLAINED)})::int as lines, coalesce(sum(t.amount) filter (where ${sql.raw(UNEXPLAINED)}), 0) as amount
        from batch_lines t where t.live and t.booked_on between ${from}::date and ${to}::date and (${bank_id}::int is null or t.bank_id = ${bank_id}) group by 1, 2),
      days as (select bank_id, day from booked union select bank_id, day from said)
      select d.day || ' ' || d.bank_id as key, d.day::text as day, ${ref('k')} as bank, c.code as currency,
        json_build_object('in', coalesce(b.came, 0), 'out', coalesce(b.went, 0)) as ledger,
        json_build_object('in', coalesce(s.came, 0), 'out', coalesce(s.went, 0)) as statement,
        (coalesce(s.came, 0) - coalesce(s.went, 0) - coalesce(b.came, 0) + coalesce(b.went, 0))::float8 as difference,
        json_build_object('lines', coalesce(s.lines, 0), 'amount', coalesce(s.amount, 0)) as unexplained
      from days d join banks k on k.id = d.bank_id join currencies c on c.id = k.currency_id
        left join booked b on b.bank_id = d.bank_id and b.day = d.day left join said s on s.bank_id = d.bank_id and s.day = d.day
      where not ${open} or coalesce(s.lines, 0) > 0 or coalesce(s.came, 0) - coalesce(s.went, 0) <> coalesce(b.came, 0) - coalesce(b.went, 0)
      order by d.day desc, k.code`.execute(ctx.db)
    const { rows: providers } = await sql<ResponseOf<typeof reconciliationCalls.list>['providers'][number]>`
      select a.role as way, p.currency,
        json_build_object('in', coalesce(sum(p.amount) filter (where p.amount > 0 and e.booked_on >= ${from}::date and ${STANDS}), 0),
          'out', coalesce(-sum(p.amount) filter (where p.amount < 0 and e.booked_on >= ${from}::date and ${STANDS}), 0)) as ledger,
        coalesce((select sum(v.fee) from provider_events v join transactions t on t.id = v.transaction_id and t.status = 'paid'
          where t.way = a.role and t.currency = p.currency and t.booked_on between ${from}::date and ${to}::date), 0)::float8 as fees,
        sum(p.amount)::float8 as balance
      from ledger_accounts a join ledger_postings p on p.account_id = a.id join ledger_entries e on e.id = p.entry_id
      where a.role in ('card', 'mobile') and e.booked_on <= ${to}::date and ${bank_id}::int is null
      group by a.role, p.currency order by a.role, p.currency`.execute(ctx.db)
    return { data: rows, from, to, providers }
  }),
  handle(reconciliationCalls.day, async (ctx, { params: { id }, body: { day } }) => {
    requireWhole(ctx, 'access_reconciliation')
    const may = reachesAll(ctx, 'save_batch')
    // Money that is nobody's, and what the bank says and the ledger does not have.
    const lines = await readLines(
      ctx.db,
      sql`t.bank_id = ${id} and t.live and t.booked_on = ${day}::date and (${sql.raw(UNEXPLAINED)} or (t.entry_id is null and coalesce(n.status, '') <> 'paid')
        or (t.transaction_id is not null and n.status <> 'paid'))`,
      MOST_UNEXPLAINED,
    )
    const { rows } = await sql<Unexplained>`
      select e.id::int as entry_id, e.kind, p.amount::float8 as amount, e.reason, ${sql.raw(payerOf('n.payer_id'))} as payer,
        case when n.id is not null then json_build_object('id', n.id, 'number', n.number) end as transaction
      from banks k join ledger_postings p on p.account_id = k.ledger_account_id join ledger_entries e on e.id = p.entry_id
        left join transactions n on n.entry_id = e.id
      where k.id = ${id} and ${OWN_DAY} = ${day}::date and ${STANDS}
        and not exists (select from batch_lines t where t.live and t.entry_id = e.id)
        and not exists (select from batch_lines t where t.live and t.transaction_id = n.id)
      order by e.id limit ${MOST_UNEXPLAINED}`.execute(ctx.db)
    return { data: { statement: lines.map((line) => shownLine(line, may)), ledger: rows } }
  }),
]
