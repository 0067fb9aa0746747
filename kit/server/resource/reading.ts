/** Reads rows of a resource: what is selected for whom, as a list and one by one. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Access, Resource } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { serverField } from '../base/fields.ts'
import { quoted } from '../base/field-filters.ts'
import type { Column } from '../base/field-filters.ts'
import { knownLookups } from '../base/registry.ts'
import { reachesAll } from '../base/scope.ts'
import type { Abilities } from './abilities.ts'
import { masked } from './field-readers.ts'
import type { FieldReaders } from './field-readers.ts'
import type { ListRef } from './list.ts'
import type { Planned } from './planned.ts'
import type { Reach } from './reach.ts'
import type { Served, Values } from './served.ts'

/** What `readingOf` gives. */
export type Reading<R extends Resource> = ReturnType<typeof readingOf<R>>

/** Lists (`source`) and single rows (`find`, `get`), and SQL of a row as it is written (`stored`). */
export function readingOf<R extends Resource>(
  { def, options, columns, written, from }: Planned<R>,
  { conditions }: Pick<Reach, 'conditions'>,
  { restricted, readersOf, offeredTo }: FieldReaders<R>,
  { reachColumns, finish }: Abilities<R>,
) {
  const p = def.permissions
  // The columns are the same in every request; names of other resources are known only once all areas are there.
  const texts = new Map<string, string>()
  let lookups = 0
  const once = (name: string, make: () => readonly string[]): string => {
    if (lookups !== knownLookups()) texts.clear()
    lookups = knownLookups()
    let text = texts.get(name)
    if (text === undefined) texts.set(name, (text = make().join(', ')))
    return text
  }
  /** Of one row with the records it names beside it, or of `many`, whose records are read apart. */
  const columnsIn = (c: Column, many: boolean): (readonly [name: string, expression: string])[] => {
    const field = serverField(c.field)
    const apart = many ? field.ref?.(c)?.as : undefined
    return field.select(c).filter(([as]) => as !== apart)
  }
  const shownIn = (detail: boolean) => (c: Column) => detail || !c.field.detailOnly
  /** The same for everybody who reads them: fields without readers, or all. */
  const plain = (detail: boolean, many: boolean, all: boolean): string =>
    once(`${detail} ${many} ${all}`, () => [
      't.id, t.version',
      `${def.softDelete ? 't.removed_at is not null' : 'false'} as removed`,
      ...columns
        .filter((c) => shownIn(detail)(c) && (all || !c.field.readers))
        .flatMap((c) => columnsIn(c, many).map(([as, expression]) => `${expression} as ${quoted(as)}`)),
    ])
  const selected = (ctx: Ctx, detail: boolean, many: boolean): RawBuilder<unknown> => {
    const asked = restricted.filter(shownIn(detail)).map((c) => ({ c, may: readersOf(ctx, c) }))
    if (asked.every(({ may }) => may === true)) return sql.raw(plain(detail, many, true))
    return sql.join([
      sql.raw(plain(detail, many, false)),
      ...asked.flatMap(({ c, may }) =>
        columnsIn(c, many).map(([as, expression]) => sql`${masked(may, expression)} as ${sql.raw(quoted(as))}`),
      ),
    ])
  }
  const refs = (detail: boolean): ListRef[] =>
    columns.filter(shownIn(detail)).flatMap((c) => serverField(c.field).ref?.(c) ?? [])
  const stored = (): string =>
    once('stored', () => [
      't.id, t.version',
      `${def.softDelete ? 't.removed_at is not null' : 'false'} as removed`,
      ...written.map((c) => `${serverField(c.field).stored(c)} as ${quoted(c.name)}`),
    ])

  const presentRows = sql`select coalesce(sum(change), 0) from row_counts where table_name = ${sql.lit(def.table)}`
  const sortable = new Set([...def.list.sort, def.list.order[0]])
  const neverNull = new Set(
    written.flatMap((c) => (c.field.required && !c.field.readers && c.field.kind !== 'lookup' ? [c.name] : [])),
  )
  const narrowColumns = new Set(['id', 'search_text', 'removed_at', ...(def.searched ?? [])])
  const source: Served['source'] = (ctx, { removed = false, access = p.list as Access, detail = false } = {}) => ({
    from,
    select: sql.join([selected(ctx, detail, true), ...reachColumns(ctx)]),
    refs: refs(detail),
    ...(def.counted && !removed && !options.where && reachesAll(ctx, access) && { total: presentRows }),
    where: [
      ...(def.softDelete ? [sql.raw(`t.removed_at is ${removed ? 'not ' : ''}null`)] : []),
      ...conditions(ctx, access),
    ],
    ...(def.searched && { narrow: { table: quoted(`${def.table}_searched`), columns: narrowColumns } }),
    search: def.list.search.length ? (options.search ?? ['t.search_text']) : (options.search ?? []),
    sort: {
      ...Object.fromEntries(
        columns.flatMap((c) => {
          const by = sortable.has(c.name) ? serverField(c.field).sort(c, ctx.lang) : null
          const may = by !== null && offeredTo(ctx, c)
          return by && may ? [[c.name, may === true ? by : masked(may, by)]] : []
        }),
      ),
      ...options.sort,
    },
    neverNull,
    order: def.list.order,
    filters: {
      ...Object.fromEntries(
        columns
          .filter((c) => def.list.filters.includes(c.name))
          .flatMap((c) => {
            const may = offeredTo(ctx, c)
            if (may === false) return []
            const filter = (value: unknown) => serverField(c.field).filter(c, value)
            // Rows whose value the reader does not see are not found by it either.
            return [[c.name, may === true ? filter : (value: unknown) => sql`(${may} and ${filter(value)})`]]
          }),
      ),
      ...Object.fromEntries(
        Object.entries(options.filters ?? {}).map(([name, filter]) => [name, (value: unknown) => filter(value, ctx)]),
      ),
    },
  })
  const find: Served<R>['find'] = async (ctx, db, id, access = p.show as Access) => {
    const where = [sql`t.id = ${id}`, ...conditions(ctx, access)]
    const { rows } = await sql<Values>`select ${sql.join([selected(ctx, true, false), ...reachColumns(ctx)])}
      from ${from} where ${sql.join(where, sql` and `)}`.execute(db)
    return rows.length ? finish(ctx, rows)[0] : undefined
  }
  const get: Served<R>['get'] = async (ctx, db, id, access) => {
    const row = await find(ctx, db, id, access)
    if (!row) throw refuse(404, 'not_found')
    return row
  }
  return { stored, source, find, get }
}
