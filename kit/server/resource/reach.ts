/** How far keys reach into the records of a resource. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Access, Resource } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { registerAdvisor, registerScope } from '../base/registry.ts'
import { reachesAll, scopeCondition } from '../base/scope.ts'
import type { ScopeParts } from '../base/scope.ts'
import type { Planned } from './planned.ts'
import type { Served } from './served.ts'

/** What `reachOf` gives. */
export type Reach = ReturnType<typeof reachOf>

/**
 * The reach of keys as conditions on `t`, for lists, changes and lookups; others find it by the name of the resource.
 */
export function reachOf<R extends Resource>({ def, options, parts, from, known }: Planned<R>) {
  const p = def.permissions
  const scopeParts = (ctx: Ctx): ScopeParts | 'university' =>
    def.scope === 'university'
      ? 'university'
      : Object.fromEntries(Object.entries(parts).map(([kind, part]) => [kind, part(ctx)]))
  if (known && def.scope !== 'university') registerScope(def.name, scopeParts as (ctx: Ctx) => ScopeParts)
  if (known && options.advisor) registerAdvisor(def.name, options.advisor)
  // Who reaches everything is asked at once: the parts are conditions, and each is built.
  const scope: Served['scope'] = (ctx, access) =>
    scopeCondition(ctx, access as Access, reachesAll(ctx, access as Access) ? 'university' : scopeParts(ctx))
  const readingKeys: ReadonlySet<unknown> = new Set([p.list, p.show, p.export])
  const conditions = (ctx: Ctx, access: Access): RawBuilder<unknown>[] => {
    const out = reachesAll(ctx, access)
      ? []
      : [
          options.common && readingKeys.has(access)
            ? sql`(${scope(ctx, access)} or ${options.common})`
            : scope(ctx, access),
        ]
    if (options.where) out.push(options.where(ctx))
    return out
  }
  /** Whether somebody's permission goes as far as changes of these records need. */
  const changes = (ctx: Ctx, access: Access): boolean => def.changedBy !== 'whole' || reachesAll(ctx, access)
  const requireChange = (ctx: Ctx, access: Access): void => {
    if (!readingKeys.has(access) && !changes(ctx, access)) throw refuse(403, 'not_allowed')
  }
  /** A row must not be put where its writer could not have written it. */
  const staysWithin = async (ctx: Ctx, tx: Tx, id: number, access: Access): Promise<void> => {
    if (def.scope === 'university' || reachesAll(ctx, access)) return
    const { rows } = await sql`select from ${from} where t.id = ${id} and ${scope(ctx, access)}`.execute(tx)
    if (!rows.length) throw refuse(403, 'not_allowed')
  }
  return { scopeParts, scope, conditions, changes, requireChange, staysWithin }
}
