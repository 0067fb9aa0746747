import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { ListMeta, ListQuery } from '#kit/contract/index.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from './context.ts'
import { refuse } from './errors.ts'

/** What a list is made of. SQL texts are the program's own; what callers send arrives only in parameters. */
export interface ListSource {
  /** What follows `from`, e.g. sql`registrations t join students s on s.id = t.student_id`. */
  readonly from: RawBuilder<unknown>
  /** What follows `select`; every expression named as in the row. Evaluated for the rows of the page only. */
  readonly select: RawBuilder<unknown>
  /** Conditions that always hold; the reader's scope (`scopeCondition`) is one of them. */
  readonly where: readonly RawBuilder<unknown>[]
  /** SQL of folded text that is searched, e.g. `s.search_text`; several are joined by "or" word by word. Empty: no search. */
  readonly search?: readonly string[]
  /** SQL by which the list can be sorted: name that callers use → expression. */
  readonly sort?: Readonly<Record<string, string | RawBuilder<unknown>>>
  /** Of these orders, those whose values are never missing: an index then serves both directions. */
  readonly neverNull?: ReadonlySet<string>
  /** Order when none is asked for. */
  readonly order: readonly [string, 'asc' | 'desc']
  /** Filters: name that callers use → condition for the value sent. */
  readonly filters?: Readonly<Record<string, (value: unknown) => RawBuilder<unknown>>>
  /** SQL that is different for every row, so that pages never overlap. Default `t.id`. */
  readonly key?: string
}

/** Rows passed over from which on the keys of a page are found before its columns. */
const FAR_DOWN = 500
/** Words of a search that count; more is noise. */
const MOST_WORDS = 8

/** The condition that a typed search puts: every word is found somewhere in one of the texts. */
export function searchCondition(search: string, texts: readonly string[]): RawBuilder<SqlBool> | undefined {
  const words = search.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  if (!words.length || !texts.length) return undefined
  const each = words.map(
    (word) =>
      sql`(${sql.join(
        texts.map((text) => sql`${sql.raw(text)} like search_pattern(${word})`),
        sql` or `,
      )})`,
  )
  return sql<SqlBool>`(${sql.join(each, sql` and `)})`
}

/** Conditions of the filters a caller sends. An empty text or list filters nothing. @throws {Refusal} for unknown ones */
export function filterConditions(
  filters: ListQuery['filters'],
  known: NonNullable<ListSource['filters']>,
): RawBuilder<unknown>[] {
  const out: RawBuilder<unknown>[] = []
  for (const [name, value] of Object.entries(filters)) {
    const filter = Object.hasOwn(known, name) ? known[name] : undefined
    if (!filter) throw refuse(422, 'filter_not_allowed', { column: name }, `filters.${name}`)
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue
    out.push(filter(value))
  }
  return out
}

const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length ? sql.join([...conditions], sql` and `) : sql`true`

/** The order of a list: what by, which way, and which way the key follows that tells equal rows apart. */
interface Order {
  readonly by: RawBuilder<unknown>
  readonly way: RawBuilder<unknown>
  readonly direction: RawBuilder<unknown>
}

function orderParts(query: Pick<ListQuery, 'order_by' | 'order_direction'>, source: ListSource): Order {
  const sort = source.sort ?? {}
  const by = query.order_by || source.order[0]
  const direction = query.order_by ? query.order_direction : source.order[1]
  const expression = Object.hasOwn(sort, by) ? sort[by] : undefined
  if (expression === undefined) throw refuse(422, 'sort_not_allowed', { column: by }, 'order_by')
  return {
    by: typeof expression === 'string' ? sql.raw(expression) : expression,
    way: sql.raw(direction === 'asc' ? 'asc' : source.neverNull?.has(by) ? 'desc' : 'desc nulls last'),
    direction: sql.raw(direction),
  }
}
const inOrder = ({ by, way, direction }: Order, source: ListSource): RawBuilder<unknown> =>
  sql`${by} ${way}, ${sql.raw(source.key ?? 't.id')} ${direction}`

/**
 * One page of a list and the count of all its rows, in one round trip: the base of every list, of resources and of rich
 * workflows alike. `where` must hold the reader's scope.
 */
export async function pagedList<Row extends object>(
  ctx: { readonly db: Db | Tx } | Ctx,
  source: ListSource,
  query: ListQuery,
): Promise<{ data: Row[]; meta: ListMeta }> {
  const where = conditionsOf(source, query)
  const parts = orderParts(query, source)
  const order = inOrder(parts, source)
  const offset = (query.page - 1) * query.perPage
  const span = sql`order by ${order} limit ${query.perPage} offset ${offset}`
  const key = sql.raw(source.key ?? 't.id')
  if (selective(query, source)) {
    // The rows found are few, and finding them is the work: it is done once, for the count and for the page.
    const { rows } = await sql<Row & Counted>`
      with found as materialized (select ${key} as k, ${parts.by} as o from ${source.from} where ${where}),
        here as (select k from found order by o ${parts.way}, k ${parts.direction} limit ${query.perPage} offset ${offset})
      select (select count(*)::int from found) as total_count, page.* from (select) as always
      left join (select true as row_here, ${source.select} from ${source.from}
        where ${key} in (select k from here) order by ${order}) page on true`.execute(ctx.db)
    return paged(rows)
  }
  // Far down, the rows that are passed over must not cost their columns: there the keys of the page are found first.
  const page =
    offset < FAR_DOWN
      ? sql`where ${where} ${span}`
      : sql`where ${key} in (select ${key} from ${source.from} where ${where} ${span}) order by ${order}`
  // The count does not depend on the page's columns, and the page ends after its rows: apart, both stay cheap. The left
  // join keeps the count when the page is empty; it has one row on its left, so the order of the page stays.
  const { rows } = await sql<Row & Counted>`
    select total.n as total_count, page.* from (select count(*)::int as n from ${source.from} where ${where}) total
    left join (select true as row_here, ${source.select} from ${source.from} ${page}) page on true`.execute(ctx.db)
  return paged(rows)
}

interface Counted {
  total_count: number
  row_here: true | null
}
function paged<Row extends object>(rows: readonly (Row & Counted)[]): { data: Row[]; meta: ListMeta } {
  const data: Row[] = []
  for (const { total_count: _, row_here, ...row } of rows) if (row_here) data.push(row as unknown as Row)
  return { data, meta: { count: rows[0]?.total_count ?? 0, lookup: {} } }
}

/** Letters of a word from which on the index narrows a search to few rows. */
const SELECTIVE = 3
const selective = ({ search }: ListQuery, source: ListSource): boolean =>
  Boolean(source.search?.length) && search.split(/\s+/).some((word) => word.length >= SELECTIVE)

/** Every row of a list up to `limit`, in its order: for exports. */
export async function wholeList<Row extends object>(
  ctx: { readonly db: Db | Tx } | Ctx,
  source: ListSource,
  query: ListQuery,
  limit: number,
): Promise<Row[]> {
  const where = conditionsOf(source, query)
  const { rows } = await sql<Row>`select ${source.select} from ${source.from} where ${where}
    order by ${inOrder(orderParts(query, source), source)} limit ${limit}`.execute(ctx.db)
  return rows
}

function conditionsOf(source: ListSource, query: ListQuery): RawBuilder<unknown> {
  const search = searchCondition(query.search, source.search ?? [])
  return all([...source.where, ...(search ? [search] : []), ...filterConditions(query.filters, source.filters ?? {})])
}
