/** Records of a workflow: where they stand, who may go on from there, and what they have been through. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { holdersSql } from '#access/holders.server.ts'
import type { Units } from '#access/holders.server.ts'
import { UNITS } from '#access/reach.contract.ts'
import { awaitedIn, keysOfWorkflow } from '#kit/contract/workflow.ts'
import type { Action, StepHolders, StepRow, Workflow } from '#kit/contract/workflow.ts'
import type { Ctx } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { quoted } from '../base/fields.ts'
import { scopeCondition } from '../base/scope.ts'
import type { ScopeParts } from '../base/scope.ts'
import type { Given, Row } from './served.ts'

/** Of those who may take the next step, so many are named. */
const HOLDERS = 3
const LEVELS: ReadonlySet<string> = new Set(UNITS)

/** Whether an action leads back to where a record came from. */
const returns = (flow: Workflow): boolean =>
  Object.values<Action>(flow.actions).some(({ from }) =>
    Object.values(from).some((way) => typeof way === 'object' && way.back !== undefined),
  )

/** SQL of a JSON object that says for each key whether the reader holds it for the record. */
const heldJson = (
  ctx: Ctx,
  keys: readonly PermissionKey[],
  parts: ScopeParts | 'university',
  bound: Readonly<Partial<Record<PermissionKey, ScopeParts>>> = {},
): RawBuilder<unknown> =>
  sql`json_build_object(${sql.join(
    keys.flatMap((key) => [sql.lit(key), sql`${scopeCondition(ctx, key, bound[key] ?? parts)}`]),
  )})`

/** What `recordsOf` gives. */
export type Records<S extends string> = ReturnType<typeof recordsOf<S, string, unknown>>

/**
 * The records of a workflow in SQL: their state, the rights over them, whose step is next; and their lock and history.
 */
export function recordsOf<S extends string, A extends string, Facts>({ flow, options }: Given<S, A, Facts>) {
  const table = sql.raw(quoted(options.table))
  const keys = keysOfWorkflow(flow)
  const everybody = [...keys, ...(options.seen ?? [])]
  const reads = options.state?.read ?? `t.${quoted(flow.field)}`
  const state = sql.raw(reads)
  const there = sql.raw(options.where ?? 't.removed_at is null')
  const partsOf = (ctx: Ctx): ScopeParts | 'university' =>
    options.scope === 'university' ? 'university' : options.scope(ctx)

  const ownOf = (ctx: Ctx): RawBuilder<unknown> => {
    const people = [ctx.actor?.user_id, ctx.actor?.impersonator_id].filter((id) => id != null)
    if (!options.own || !people.length) return sql`false`
    const ids = sql`${people}::int[]`
    if (options.enteredByOfficer) return sql`coalesce(${options.own(ids)}, false)`
    return sql`(coalesce(${options.own(ids)}, false) or exists (select from step_history h where h.workflow = ${flow.name}
      and h.record_id = t.id and h.from_state is null and (h.actor_id = any(${ids}) or h.impersonator_id = any(${ids}))))`
  }
  /** SQL of the state that a record left last, where it is asked for. */
  const left = returns(flow)
    ? sql`(select h.from_state from step_history h where h.workflow = ${sql.lit(flow.name)} and h.record_id = t.id
        and h.to_state = ${state} order by h.id desc limit 1)`
    : sql`null`
  const column = (ctx: Ctx): RawBuilder<unknown> =>
    sql`json_build_object('held', ${heldJson(ctx, keys, partsOf(ctx), options.bound?.(ctx))}, 'own', ${ownOf(ctx)}${
      returns(flow) ? sql`, 'left', ${left}` : sql``
    })`
  const awaited = awaitedIn(flow as Workflow<string, S>)
  const waiting = (ctx: Ctx): RawBuilder<unknown> => {
    const bound = options.bound?.(ctx) ?? {}
    const mine = awaited.map(({ state: at, keys: needed }) => {
      const reached = needed.map((key) => scopeCondition(ctx, key, bound[key] ?? partsOf(ctx)))
      return sql`(${state} = ${sql.lit(at)} and (${sql.join(reached, sql` or `)}))`
    })
    return mine.length ? sql`(${there} and (${sql.join(mine, sql` or `)}) and not ${ownOf(ctx)})` : sql`false`
  }

  const lock = async (ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<Row<S>[]> => {
    const parts = partsOf(ctx)
    const { rows } = await sql<Row<S>>`select t.id, t.version, ${state} as state, ${sql.raw(options.nameOf)} as name,
        ${left} as left, ${there} as there, ${heldJson(ctx, keys, parts, options.bound?.(ctx))} as held, ${ownOf(ctx)} as own
      from ${table} t where t.id = any(${[...ids]}::int[]) and ${scopeCondition(ctx, everybody, parts)}
      order by t.id for update of t`.execute(tx)
    return rows
  }

  /** SQL that says of the holders of the next step from the state of a record what is asked; null where it waits for nobody. */
  const byState = (ctx: Ctx, say: (holders: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> => {
    const parts = partsOf(ctx)
    const units =
      options.units?.(ctx) ??
      (parts === 'university'
        ? {}
        : (Object.fromEntries(
            Object.entries(parts).filter(([kind, part]) => LEVELS.has(kind) && typeof part !== 'function'),
          ) as Units))
    if (!awaited.length) return sql`null`
    return sql`case ${state} ${sql.join(
      awaited.map(
        ({ state: at, keys: needed }) =>
          sql`when ${sql.lit(at)} then ${say(options.holders ?? holdersSql(needed, units, options.advisor))}`,
      ),
      sql` `,
    )} end`
  }
  /** SQL of who may take the next step: null where it waits for nobody. */
  const waitsFor = (ctx: Ctx): RawBuilder<unknown> =>
    byState(
      ctx,
      (holders) => sql`(
        select json_build_object('count', count(*), 'named', coalesce(json_agg(json_build_object('name', x.name, 'name_local', x.name_local,
          'role', x.role, 'role_local', x.role_local)) filter (where x.place <= ${sql.lit(HOLDERS)}), '[]'))
        from (select h.*, row_number() over () as place from (${holders}) h) x)`,
    )
  const history = async (ctx: Ctx, id: number): Promise<{ data: StepRow[]; waits_for: StepHolders | null }> => {
    const reach = scopeCondition(ctx, [...everybody, ...[flow.history.permission].flat()], partsOf(ctx))
    const { rows } = await sql<{ steps: StepRow[]; waits_for: StepHolders | null }>`
      select ${waitsFor(ctx)} as waits_for, coalesce((select json_agg(json_build_object('id', h.id, 'at', h.at, 'action', h.action, 'from', h.from_state,
          'to', h.to_state, 'reason', h.reason,
          'by', case when b.id is not null then json_build_object('name', b.name, 'name_local', b.name_local) end,
          'acting_for', case when i.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end)
          order by h.id desc)
        from step_history h left join users u on u.id = h.actor_id left join users i on i.id = h.impersonator_id
          left join users b on b.id = coalesce(h.impersonator_id, h.actor_id)
        where h.workflow = ${flow.name} and h.record_id = t.id), '[]') as steps
      from ${table} t where t.id = ${id} and ${reach}`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0].steps, waits_for: rows[0].waits_for }
  }
  return { table, reads, awaited, waiting, column, lock, byState, history }
}
