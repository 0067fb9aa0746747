import { sql } from 'kysely'
import { KEPT, KEPT_KINDS } from '#kit/contract/retention.ts'
import type { Kept, KeptKind } from '#kit/contract/retention.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { daysKept, sweepOf } from '#kit/server/jobs/retention.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { retentionCalls } from './retention.contract.ts'
import type { KeptRow } from './retention.contract.ts'

/** Data of everybody: for those whose right reaches everything. */
const demandAll = (ctx: Ctx): void => {
  if (!reachesAll(ctx, 'edit_retention')) throw refuse(403, 'not_allowed')
}
const NOTHING = { count: 0, oldest: null }
const dueOf = (ctx: Ctx, kind: KeptKind, days: number | null) =>
  days === null ? Promise.resolve(NOTHING) : (sweepOf(kind)?.due(ctx, days) ?? Promise.resolve(NOTHING))

const person = (alias: string) =>
  sql.raw(`case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name,
    'name_local', ${alias}.name_local, 'code', ${alias}.email) end`)

/** Whether a length is at least another one; null is for ever. */
const lasts = (days: number | null, other: number | null): boolean => days === null || (other !== null && days >= other)

/** A kind that outlasts another one stays longer than that, whichever of both is set. */
async function checkOthers(ctx: Ctx, kind: KeptKind, days: number | null): Promise<void> {
  const { outlasts }: Kept = KEPT[kind]
  if (outlasts) {
    const other = await daysKept(ctx.pool, outlasts as KeptKind)
    if (!lasts(days, other)) throw refuse(409, 'retention_outlasts', { least: other }, 'days')
  }
  for (const longer of KEPT_KINDS) {
    if ((KEPT[longer] as Kept).outlasts !== kind) continue
    const other = await daysKept(ctx.pool, longer)
    if (!lasts(other, days)) throw refuse(409, 'retention_outlasted', { most: other }, 'days')
  }
}

/** Within the bounds of its kind. */
function check(kind: KeptKind, days: number | null): void {
  const { bounds }: Kept = KEPT[kind]
  if (!bounds) throw refuse(409, 'retention_fixed')
  const { least, most } = bounds
  if (days === null ? most !== null : days < least || (most !== null && days > most))
    throw most === null
      ? refuse(422, 'retention_least', { least }, 'days')
      : refuse(422, 'retention_bounds', { least, most }, 'days')
}

export const retentionHandlers: readonly Handled[] = [
  handle(retentionCalls.retention, async (ctx) => {
    demandAll(ctx)
    const { rows: set } = await sql<{ kind: KeptKind; days: number | null; set_by: Ref | null; set_at: string }>`
      select l.kind, l.days, l.set_at, ${person('u')} as set_by from retention_lengths l left join users u on u.id = l.set_by`.execute(
      ctx.db,
    )
    const { rows: runs } = await sql<{ kind: KeptKind; at: string; erased: number }>`
      select distinct on (kind) kind, at, erased::float8 as erased from retention_runs order by kind, at desc`.execute(
      ctx.db,
    )
    const { rows: holds } = await sql<{ id: number; person: Ref; reason: string; since: string; set_by: Ref | null }>`
      select h.id, ${person('p')} as person, h.reason, h.since, ${person('u')} as set_by
      from legal_holds h join users p on p.id = h.user_id left join users u on u.id = h.set_by
      where h.ended_at is null order by h.since desc, h.id`.execute(ctx.db)
    const { rows: clock } = await sql<{ next: string }>`
      select (case when now() at time zone 'UTC' < date_trunc('day', now() at time zone 'UTC') + interval '2 hours 37 minutes'
        then date_trunc('day', now() at time zone 'UTC') else date_trunc('day', now() at time zone 'UTC') + interval '1 day' end
        + interval '2 hours 37 minutes') at time zone 'UTC' as next`.execute(ctx.db)
    const data: KeptRow[] = []
    for (const kind of KEPT_KINDS) {
      const own = set.find((one) => one.kind === kind)
      const days = own ? own.days : KEPT[kind].days
      data.push({
        kind,
        days,
        set_by: own?.set_by ?? null,
        set_at: own?.set_at ?? null,
        due: sweepOf(kind) ? await dueOf(ctx, kind, days) : null,
        last_run: runs.find((run) => run.kind === kind) ?? null,
      })
    }
    return { data, meta: { next: clock[0]!.next, holds } }
  }),
  handle(retentionCalls.previewRetention, async (ctx, { params: { kind }, body: { days } }) => {
    demandAll(ctx)
    check(kind, days)
    return { data: await dueOf(ctx, kind, days) }
  }),
  handle(retentionCalls.setRetention, (ctx, { params: { kind }, body: { days, seen } }) => {
    demandAll(ctx)
    check(kind, days)
    return ctx.write(async (tx) => {
      // One length may depend on another.
      await sql`select pg_advisory_xact_lock(hashtext('retention'))`.execute(tx)
      await checkOthers(ctx, kind, days)
      const before = await daysKept(ctx.pool, kind)
      const shorter = days !== null && (before === null || days < before)
      if (shorter) {
        const { count } = await dueOf(ctx, kind, days)
        // What goes was looked at: a little may have come to it since.
        if (count > 0 && (seen === undefined || count > seen * 1.1 + 10))
          throw refuse(409, 'retention_not_seen', { count })
      }
      await sql`insert into retention_lengths (kind, days, set_by) values (${kind}, ${days}, ${actorIn(ctx).user_id})
        on conflict (kind) do update set days = excluded.days, set_by = excluded.set_by, set_at = now()`.execute(tx)
      return { data: { kind, days } }
    })
  }),
  handle(retentionCalls.holdPerson, (ctx, { body: { user_id, reason } }) => {
    demandAll(ctx)
    return ctx.write(
      async (tx) => {
        const { rows: found } = await sql`select from users where id = ${user_id} for share`.execute(tx)
        if (!found.length) throw refuse(422, 'reference_missing', {}, 'user_id')
        const { rows } = await sql<{ id: number }>`insert into legal_holds (user_id, reason, set_by)
          values (${user_id}, ${reason}, ${actorIn(ctx).user_id}) on conflict (user_id) where ended_at is null do nothing
          returning id`.execute(tx)
        if (!rows[0]) throw refuse(409, 'person_is_held')
        return { data: rows[0] }
      },
      { reason },
    )
  }),
  handle(retentionCalls.endHold, (ctx, { params: { id } }) => {
    demandAll(ctx)
    return ctx.write(async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`update legal_holds set ended_at = now(), ended_by = ${actorIn(ctx).user_id}
        where id = ${id} and ended_at is null returning id`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      return { data: rows[0] }
    })
  }),
]
