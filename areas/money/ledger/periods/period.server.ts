/** Periods of the books: closed through a day, by somebody; what happens on such a day is booked on the first open one. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { requireWhole } from '../reach.server.ts'
import { periodCalls, type Closing, type ClosingPreview } from './period.contract.ts'
import { checkClosing, checkReopeningBooks, type ClosingFacts } from './period.rules.ts'

const RIGHT = 'close_ledger'
/** SQL: somebody of the staff as a reference. */
const person = (alias: string) =>
  sql.raw(`json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local)`)

interface Standing extends ClosingFacts {
  readonly closings: Closing[]
}

/** How the books stand; with a day, also what speaks against closing through it. */
async function standing(db: Db | Tx, through: string | null): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select university_today()::text as today,
      (select max(c.closed_through)::text from ledger_closings c where c.reopened_at is null) as closed_through,
      (select coalesce(json_agg(x.number order by x.number), '[]') from cash_shifts x where x.closed_at is null
        and (x.opened_at at time zone university_zone())::date <= ${through}::date) as drawers,
      (select p.count from ledger_proofs p where (p.proven_at at time zone university_zone())::date > ${through}::date
        order by p.id desc limit 1) as findings,
      (select coalesce(json_agg(json_build_object('id', c.id, 'closed_through', c.closed_through, 'note', c.note, 'closed_at', c.closed_at,
          'closed_by', ${person('u')}, 'reopened_at', c.reopened_at, 'reopened_by', case when o.id is not null then ${person('o')} end,
          'reopen_reason', c.reopen_reason) order by c.id desc), '[]')
        from ledger_closings c join users u on u.id = c.closed_by left join users o on o.id = c.reopened_by) as closings`.execute(
    db,
  )
  return firstRow(rows)
}

/** What a period holds, from the first day that is open. */
async function preview(ctx: Ctx, through: string): Promise<ClosingPreview> {
  const facts = await standing(ctx.db, through)
  const { rows } = await sql<Omit<ClosingPreview, 'reasons' | 'closed_through'>>`
    with period as materialized (
      select e.id, e.booked_on, e.currency from ledger_entries e
      where e.booked_on <= ${through}::date and (${facts.closed_through}::date is null or e.booked_on > ${facts.closed_through}::date))
    select coalesce(${facts.closed_through}::date + 1, (select min(booked_on) from period))::text as "from", (select count(*)::int from period) as entries,
      (select coalesce(json_agg(json_build_object('currency', s.currency, 'amount', s.amount) order by s.currency), '[]') from (
        select p.currency, sum(p.amount) as amount from period e join ledger_postings p on p.entry_id = e.id and p.amount > 0 group by 1) s) as sums,
      json_build_object(
        'transactions', (select count(*) from transactions t where t.status in ('new', 'pending')
          and (t.created_at at time zone university_zone())::date <= ${through}::date),
        'slips', (select count(*) from payment_slips s where s.status = 'uploaded' and s.paid_on <= ${through}::date),
        'lines', (select count(*) from batch_lines b where b.live and b.entry_id is not null and b.transaction_id is null and b.booked_on <= ${through}::date)
      ) as waiting`.execute(ctx.db)
  return { ...firstRow(rows), closed_through: through, reasons: checkClosing(through, facts).map(toProblem) }
}

export const periodHandlers: readonly Handled[] = [
  handle(periodCalls.list, async (ctx) => {
    const { today, closed_through, closings } = await standing(ctx.db, null)
    return { data: { today, closed_through, closings } }
  }),
  handle(periodCalls.preview, async (ctx, { body }) => {
    requireWhole(ctx, RIGHT)
    return { data: await preview(ctx, body.closed_through) }
  }),
  handle(periodCalls.close, async (ctx, { body: { closed_through, note } }) => {
    requireWhole(ctx, RIGHT)
    return ctx.write(async (tx) => {
      // The trigger holds it as well; asked for first, so that what is read below stands until the end.
      await sql`select pg_advisory_xact_lock(hashtext('ledger_periods'))`.execute(tx)
      const reasons = checkClosing(closed_through, await standing(tx, closed_through))
      if (reasons.length) throw new Refusal(409, reasons)
      const { rows } = await sql<{ id: number; closed_through: string }>`
        insert into ledger_closings (closed_through, note, closed_by) values (${closed_through}::date, ${note || null}, ${ctx.actor!.user_id})
        returning id, closed_through::text`.execute(tx)
      return { data: firstRow(rows) }
    })
  }),
  handle(periodCalls.reopen, async (ctx, { params: { id }, body: { reason } }) => {
    requireWhole(ctx, RIGHT)
    return ctx.write(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('ledger_periods'))`.execute(tx)
      const { rows } = await sql<{ closed_through: string; reopened: boolean; last: string | null }>`
        select closed_through::text, reopened_at is not null as reopened,
          (select max(c.closed_through)::text from ledger_closings c where c.reopened_at is null) as last
        from ledger_closings where id = ${id} for update`.execute(tx)
      const [closing] = rows
      if (!closing) throw refuse(404, 'not_found')
      const reasons = checkReopeningBooks(closing)
      if (reasons.length) throw new Refusal(409, reasons)
      await sql`update ledger_closings set reopened_at = now(), reopened_by = ${ctx.actor!.user_id}, reopen_reason = ${reason} where id = ${id}`.execute(
        tx,
      )
      return { data: { id, closed_through: closing.closed_through } }
    })
  }),
]
