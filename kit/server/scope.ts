import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Access, Resource } from '#kit/contract/index.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { BONDS, EVERYWHERE, UNITS } from '#access/reach.contract.ts'
import type { Bond, ReachSet, ScopeKind, Unit } from '#access/reach.contract.ts'
import type { Ctx } from './context.ts'
import { refuse } from './errors.ts'

/** A column, or what the ids reached mean for a row that is bound to several units (an offering open to programs). */
export type UnitPart = RawBuilder<unknown> | ((ids: readonly number[]) => RawBuilder<unknown>)

/**
 * By which columns rows are bound to a part of the university, for one query: `faculty`, `department`, `bylaw`,
 * `program` are expressions that give the id, or functions that give the condition for the ids reached; `own`,
 * `taught`, `advised` are conditions.
 */
export type ScopeParts = {
  readonly [K in Unit]?: UnitPart
} & { readonly [K in Bond]?: RawBuilder<unknown> }

/** The same as a function of who asks, as a resource states it: exactly the kinds its definition names. The table is `t`. */
export type ScopeOf<R> =
  R extends Resource<infer _N, infer _F, infer _P, infer S>
    ? S extends readonly (infer K extends ScopeKind)[]
      ? { readonly [k in K]: (ctx: Ctx) => NonNullable<ScopeParts[k]> }
      : undefined
    : never

const TRUE = sql<SqlBool>`true`
const FALSE = sql<SqlBool>`false`

/** What the reader may reach by any of the keys (or by a call's `permission`): one set per key held. Empty: nothing. */
export function reaches(ctx: Ctx, access: Access | readonly PermissionKey[]): ReachSet[] {
  if (ctx.system !== null) return [EVERYWHERE]
  if (access === 'public') return [EVERYWHERE]
  if (!ctx.actor) return []
  if (access === 'signed_in' || ctx.actor.is_root || ctx.actor.is_super_admin) return [EVERYWHERE]
  const keys = typeof access === 'string' ? [access] : access
  return keys.flatMap((key) => ctx.actor?.rights.get(key) ?? [])
}

/** Whether the reader may do this at all, somewhere. */
export const holds = (ctx: Ctx, access: Access | readonly PermissionKey[]): boolean => reaches(ctx, access).length > 0

/** Whether the reader may do this everywhere: no condition is needed. */
export const reachesAll = (ctx: Ctx, access: Access | readonly PermissionKey[]): boolean =>
  reaches(ctx, access).some((r) => r.all)

/**
 * The condition on rows that the reader's rights put: the union of what the held keys reach. `true` for everything,
 * `false` for nothing. Every query of scoped rows goes through here.
 */
export function scopeCondition(
  ctx: Ctx,
  access: Access | readonly PermissionKey[],
  parts: ScopeParts | 'university',
): RawBuilder<SqlBool> {
  const sets = reaches(ctx, access)
  if (sets.length === 0) return FALSE
  if (parts === 'university' || sets.some((r) => r.all)) return TRUE
  const any: RawBuilder<unknown>[] = []
  for (const unit of UNITS) {
    const column = parts[unit]
    const ids = column ? [...new Set(sets.flatMap((r) => r[unit]))] : []
    if (column && ids.length) any.push(typeof column === 'function' ? column(ids) : sql`${column} = any(${ids}::int[])`)
  }
  for (const bound of BONDS) {
    const condition = parts[bound]
    if (condition && sets.some((r) => r[bound])) any.push(sql`${condition}`)
  }
  return any.length ? sql<SqlBool>`(${sql.join(any, sql` or `)})` : FALSE
}

/** Refuses (403) who holds none of the keys, or does not reach the part of the university named by `at`. */
export function requireReach(
  ctx: Ctx,
  access: Access | readonly PermissionKey[],
  at?: { readonly [K in Unit]?: number | null },
): void {
  const sets = reaches(ctx, access)
  if (!sets.length) throw refuse(ctx.actor ? 403 : 401, ctx.actor ? 'not_allowed' : 'not_signed_in')
  if (!at || sets.some((r) => r.all)) return
  if (!UNITS.some((unit) => at[unit] != null && sets.some((r) => r[unit].includes(at[unit] as number)))) {
    throw refuse(403, 'not_allowed')
  }
}
