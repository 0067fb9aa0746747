import { sql } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import { refText } from '#kit/server/base/sql.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import type { ticketCalls } from './ticket.contract.ts'
import { TICKETS, handles } from './ticket.server.ts'

type Figures = ResponseOf<typeof ticketCalls.statistics>['data']
/** Days shown unless told. */
const DAYS = 30

/** Figures of the tickets that the reader answers: by group, by status and by day. Merged ones count with what they were merged into. */
export async function ticketStatistics(
  ctx: Ctx,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<Figures> {
  const { rows } = await sql<Omit<Figures, 'days'> & { days: Figures['days'] | null }>`
    with span as (
      select coalesce(${from ?? null}::date, coalesce(${to ?? null}::date, (now() at time zone university_zone())::date) - ${DAYS}::int + 1) as first,
        coalesce(${to ?? null}::date, (now() at time zone university_zone())::date) as last),
    mine as materialized (
      select t.*, g.response_hours, g.resolution_hours, (t.created_at at time zone university_zone())::date as day,
        (t.resolved_at at time zone university_zone())::date as resolved_day,
        case when t.responded_at is not null then working_minutes(t.created_at, t.responded_at, g.opens, g.closes, g.week) end as response,
        case when t.resolved_at is not null then working_minutes(t.created_at, t.resolved_at, g.opens, g.closes, g.week) end as resolution
      from ${TICKETS} where t.removed_at is null and t.merged_into_id is null and ${handles(ctx)}),
    chosen as (select m.* from mine m, span where m.day between span.first and span.last)
    select coalesce((select json_agg(x order by x."group" ->> 'name') from (
        select (select ${sql.raw(refText('g'))} from ticket_groups g where g.id = c.group_id) as "group", count(*)::int as count,
          (count(*) filter (where c.status in ('open', 'reopened', 'in_progress', 'waiting')))::int as open,
          percentile_disc(0.5) within group (order by c.response)::int as response,
          percentile_disc(0.5) within group (order by c.resolution)::int as resolution,
          round(100.0 * count(*) filter (where c.response <= c.response_hours * 60) / nullif(count(c.response), 0))::int as response_in_time,
          round(100.0 * count(*) filter (where c.resolution <= c.resolution_hours * 60) / nullif(count(c.resolution), 0))::int as resolution_in_time,
          round(avg(c.score), 1)::text as score
        from chosen c group by c.group_id) x), '[]') as groups,
      coalesce((select json_agg(json_build_object('status', x.status, 'count', x.count) order by x.count desc) from (
        select status, count(*)::int as count from chosen group by status) x), '[]') as statuses,
      (select json_agg(json_build_object('day', d::date::text, 'opened', (select count(*) from mine where day = d::date),
          'resolved', (select count(*) from mine where resolved_day = d::date)) order by d)
        from span, generate_series(span.first::timestamp, least(span.last, span.first + 366)::timestamp, interval '1 day') d) as days`.execute(
    ctx.db,
  )
  const [figures] = rows
  return { ...figures!, days: figures!.days ?? [] }
}
