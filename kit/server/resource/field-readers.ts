/**
 * Who reads which field of a resource: as its definition says, everywhere (true), nowhere (false), or on rows of a
 * condition.
 */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Resource } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { Refusal } from '../base/errors.ts'
import { serverField } from '../base/fields.ts'
import type { Column } from '../base/field-filters.ts'
import { registerColumn, registerUnread } from '../base/registry.ts'
import { holds, reachesAll } from '../base/scope.ts'
import type { Planned } from './planned.ts'
import type { Reach } from './reach.ts'
import type { FieldName, Served } from './served.ts'

/** What `fieldReaders` gives. */
export type FieldReaders<R extends Resource> = ReturnType<typeof fieldReaders<R>>

/** SQL of what a reader sees: null where the field is not read. */
export const masked = (may: boolean | RawBuilder<SqlBool>, expression: string): RawBuilder<unknown> =>
  may === true
    ? sql.raw(expression)
    : may === false
      ? sql.raw('null')
      : sql`case when ${may} then ${sql.raw(expression)} end`

/**
 * Answers of a field whether somebody reads it, for SQL and for code. Nothing that somebody does not read is written by
 * him or her.
 */
export function fieldReaders<R extends Resource>(
  { def, columns, from, known }: Planned<R>,
  { scope, scopeParts }: Pick<Reach, 'scope' | 'scopeParts'>,
) {
  const restricted = columns.filter((c) => c.field.readers)
  for (const { name } of restricted) {
    if (def.list.search.includes(name)) throw new Error(`${def.name}.${name} is searched: it cannot have readers`)
  }
  const byName = new Map(columns.map((c) => [c.name, c]))
  const readersOf = (ctx: Ctx, { field }: Column): boolean | RawBuilder<SqlBool> => {
    if (!field.readers || ctx.system !== null) return true
    const keys = field.readers.filter((reader) => reader !== 'self')
    if (holds(ctx, keys) && (def.scope === 'university' || reachesAll(ctx, keys))) return true
    const parts = scopeParts(ctx)
    const own = field.readers.includes('self') && ctx.actor && parts !== 'university' ? parts.own : undefined
    const any = [...(holds(ctx, keys) ? [scope(ctx, keys)] : []), ...(own ? [own] : [])]
    return any.length ? sql<SqlBool>`coalesce(${sql.join(any, sql` or `)}, false)` : false
  }
  /** For lists, whose rows are others' records: that one reads the own is no reason to offer a filter or a column. */
  const offeredTo = (ctx: Ctx, c: Column): boolean | RawBuilder<SqlBool> =>
    !c.field.readers ||
    ctx.system !== null ||
    holds(
      ctx,
      c.field.readers.filter((reader) => reader !== 'self'),
    )
      ? readersOf(ctx, c)
      : false
  const columnNamed = (name: string): Column => {
    const column = byName.get(name)
    if (!column) throw new Error(`${def.name} has no field ${name}`)
    return column
  }
  const readable: Served<R>['readable'] = (ctx, name) => {
    const may = readersOf(ctx, columnNamed(name))
    return typeof may === 'boolean' ? sql.raw(String(may)) : may
  }
  const column: Served<R>['column'] = (ctx, name) => {
    const c = columnNamed(name)
    return masked(readersOf(ctx, c), serverField(c.field).select(c)[0]?.[1] ?? 'null')
  }
  /** Fields of a row that the reader does not read. */
  const unread: Served<R>['unread'] = async (ctx, id, db = ctx.db) => {
    const doubtful = restricted.map((c) => ({ c, may: readersOf(ctx, c) })).filter(({ may }) => may !== true)
    if (!doubtful.length) return new Set()
    const { rows } = await sql<Record<string, boolean>>`select ${sql.join(
      doubtful.map(({ c, may }) => sql`${typeof may === 'boolean' ? sql.raw('false') : may} as ${sql.ref(c.name)}`),
    )} from ${from} where t.id = ${id}`.execute(db)
    return new Set(doubtful.map(({ c }) => c.name).filter((name) => rows[0]?.[name] !== true))
  }
  if (known) {
    registerUnread(def.name, (ctx, id) => unread(ctx, id))
    registerColumn(def.name, (ctx, name) => column(ctx, name as FieldName<R>))
  }
  /** Refuses to write what the writer may not read. */
  const requireReadable = async (ctx: Ctx, tx: Tx, id: number, names: readonly string[]): Promise<void> => {
    if (!restricted.some((c) => names.includes(c.name))) return
    const hidden = await unread(ctx, id, tx)
    const refused = names.filter((name) => hidden.has(name))
    if (refused.length)
      throw new Refusal(
        403,
        refused.map((field) => ({ field, code: 'not_allowed' })),
      )
  }
  return { restricted, readersOf, offeredTo, columnNamed, readable, column, unread, requireReadable }
}
