import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Access } from '#kit/contract/call.ts'
import type { Outlet } from '#kit/contract/outlet.ts'
import { workCalls } from '#kit/contract/work.contract.ts'
import type { todayItem, workItem } from '#kit/contract/work.contract.ts'
import { handle } from '../base/context.ts'
import type { Ctx, Handled } from '../base/context.ts'
import { workSources } from '../base/registry.ts'
import { holds } from '../base/scope.ts'

/**
 * Waiting work of an area, for the home page. Only holders of one of `permissions` are asked (`signed_in`: everybody).
 *
 * `waiting` selects `key text, data jsonb, link text, since timestamptz, until timestamptz`: one row per sentence, and
 * no row when nothing waits. `today` selects `key text, data jsonb, link text, start text, "end" text`. Both must
 * limit rows to the reader, and read few of them: every home page runs them.
 */
export interface WorkSource {
  readonly permissions: readonly PermissionKey[] | Extract<Access, 'signed_in'>
  readonly waiting?: (ctx: Ctx) => RawBuilder<unknown>
  readonly today?: (ctx: Ctx) => RawBuilder<unknown>
  /** A place on the home page that this area fills: SQL, whether there is something for the reader in it. */
  readonly besides?: { readonly outlet: Pick<Outlet, 'name'>; readonly when: (ctx: Ctx) => RawBuilder<unknown> }
}

type Waiting = z.output<typeof workItem>
type Today = z.output<typeof todayItem>
interface Work {
  readonly waiting: Waiting[]
  readonly today: Today[]
  readonly besides: string[]
}

const union = (parts: readonly RawBuilder<unknown>[], none: RawBuilder<unknown>): RawBuilder<unknown> =>
  parts.length ? sql.join(parts, sql` union all `) : none

/** What waits for the reader, the oldest first, and the day's plan: one round trip, whatever the number of sources. */
async function workOf(ctx: Ctx, sources: readonly WorkSource[]): Promise<Work> {
  const mine = sources.filter(({ permissions }) => holds(ctx, permissions))
  const waiting = union(
    mine.flatMap(({ waiting: of }) => (of ? [sql`(${of(ctx)})`] : [])),
    sql`select null::text, null::jsonb, null::text, null::timestamptz, null::timestamptz where false`,
  )
  const today = union(
    mine.flatMap(({ today: of }) => (of ? [sql`(${of(ctx)})`] : [])),
    sql`select null::text, null::jsonb, null::text, null::text, null::text where false`,
  )
  const besides = union(
    mine.flatMap(({ besides: of }) => (of ? [sql`(select ${of.outlet.name}::text where ${of.when(ctx)})`] : [])),
    sql`select null::text where false`,
  )
  const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)
  const { rows } = await sql<Work>`
    with waiting (key, data, link, since, until) as (${waiting}), today (key, data, link, start, "end") as (${today}),
      besides (name) as (${besides})
    select coalesce((select json_agg(json_build_object('key', key, 'data', data, 'link', link,
          'since', ${instant('since')}, 'until', ${instant('until')}) order by since nulls last, until nulls last, key, link) from waiting), '[]') as waiting,
      coalesce((select json_agg(json_build_object('key', key, 'data', data, 'link', link, 'start', start, 'end', "end")
        order by start, "end", link) from today), '[]') as today,
      coalesce((select json_agg(name order by name) from besides), '[]') as besides`.execute(ctx.db)
  return firstRow(rows)
}

export const workHandlers: readonly Handled[] = [
  handle(workCalls.work, async (ctx) => ({ data: await workOf(ctx, workSources()) })),
]
