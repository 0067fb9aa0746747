import { RawNode, ReferenceNode, sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Access, Resource } from '#kit/contract/index.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { BONDS, EVERYWHERE, UNITS } from '#access/reach.contract.ts'
import type { Bond, ReachSet, ScopeKind, Unit } from '#access/reach.contract.ts'
import type { Ctx } from './context.ts'
import { refuse } from './errors.ts'

/**
 * A column, which may be null, or what the ids reached mean for a row that is bound to several units (an offering open to
 * programs): a condition, which is never null.
 */
export type UnitPart = RawBuilder<unknown> | ((ids: readonly number[]) => RawBuilder<unknown>)

/**
 * By which columns rows are bound to a part of the university, for one query: `faculty`, `department`, `bylaw`,
 * `program` are expressions that give the id, or functions that give the condition for the ids reached; `own`,
 * `taught`, `advised`, `supervised` are conditions, which are never null (`isId`, `exists`).
 */
export type ScopeParts = {
  readonly [K in Unit]?: UnitPart
} & { readonly [K in Bond]?: RawBuilder<unknown> }

/**
 * The same as a function of the reader, as a resource states it: exactly the kinds in its definition. The table is
 * `t`.
 */
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
 * Whether a column holds an id, as a part of a scope says it: false, and not null, where either is missing. Written so that
 * an index of the column is still used.
 */
export const isId = (column: RawBuilder<unknown>, id: number | null | undefined): RawBuilder<SqlBool> =>
  id == null ? FALSE : sql<SqlBool>`(${column} = ${id} and ${column} is not null)`

/** The same for one of several ids. What is no plain column has no index to be kept, and is worked out once. */
const isOneOf = (column: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<SqlBool> =>
  isPlain(column)
    ? sql<SqlBool>`(${column} = any(${ids}::int[]) and ${column} is not null)`
    : sql<SqlBool>`coalesce(${column} = any(${ids}::int[]), false)`

/** Whether an expression is the name of a column and nothing else. */
function isPlain(expression: RawBuilder<unknown>): boolean {
  const node = expression.toOperationNode()
  if (!RawNode.is(node)) return false
  const [inner, ...others] = node.parameters
  const text = node.sqlFragments.join('')
  return inner ? text === '' && !others.length && ReferenceNode.is(inner) : /^[a-z_]\w*(\.[a-z_]\w*)?$/.test(text)
}

/**
 * The condition that limits rows to the reader's reach: the union over the held rights. It is `true` for everything,
 * `false` for nothing, and never null, so it can also be selected or negated. Every query of scoped rows uses it.
 */
export function scopeCondition(
  ctx: Ctx,
  access: Access | readonly PermissionKey[],
  parts: ScopeParts | 'university',
): RawBuilder<SqlBool> {
  const sets = reaches(ctx, access)
  if (sets.length === 0) return FALSE
  if (sets.some((r) => r.all)) return TRUE
  // What belongs to all of the university is nobody's own: who holds a right for a part of it reaches it, a bond does not.
  if (parts === 'university') return sets.some((r) => UNITS.some((unit) => r[unit].length > 0)) ? TRUE : FALSE
  const any: RawBuilder<unknown>[] = []
  for (const unit of UNITS) {
    const column = parts[unit]
    const ids = column ? [...new Set(sets.flatMap((r) => r[unit]))] : []
    if (column && ids.length) any.push(typeof column === 'function' ? column(ids) : isOneOf(column, ids))
  }
  for (const bound of BONDS) {
    const condition = parts[bound]
    if (condition && sets.some((r) => r[bound])) any.push(sql`${condition}`)
  }
  return any.length ? sql<SqlBool>`(${sql.join(any, sql` or `)})` : FALSE
}

/** Refuses (403) a reader who holds none of the rights, or does not reach the part of the university named by `at`. */
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
