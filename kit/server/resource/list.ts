import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { ListMeta, ListQuery } from '#kit/contract/index.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '../base/context.ts'
import { Refusal, refuse } from '../base/errors.ts'
import { patternOf } from '../base/sql.ts'

/** Records that rows of a list name by an id among their columns. */
export interface ListRef {
  /** Name under which the record stands in the row. */
  readonly as: string
  /** Column of the row that holds its id. */
  readonly column: string
  /** SQL of the table of the records, and of what is told of one of them: the record is `r`. */
  readonly table: string
  readonly record: string
}

/** The parts of a list's query. SQL texts are the program's own; input from callers arrives only in parameters. */
export interface ListSource {
  /** What follows `from`, e.g. sql`registrations t join students s on s.id = t.student_id`. */
  readonly from: RawBuilder<unknown>
  /** What follows `select`; every expression named as in the row. Evaluated for the rows of the page only. */
  readonly select: RawBuilder<unknown>
  /** Records that rows name by their ids: each is read once for all rows of a page. */
  readonly refs?: readonly ListRef[]
  /**
   * A table beside that of the rows, under the same alias `t`, with the same ids and some of its columns: narrow, so that what
   * is found in it costs less (`keep_searched`).
   */
  readonly narrow?: { readonly table: string; readonly columns: ReadonlySet<string> }
  /** How many rows `where` admits, where that is known without looking at them. */
  readonly total?: RawBuilder<unknown>
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
        texts.map((text) => sql`${sql.raw(text)} like ${patternOf(word)}`),
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
  const unknown = Object.keys(filters).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length)
    throw new Refusal(
      422,
      unknown.map((column) => ({
        field: `filters.${column}`,
        code: 'filter_not_allowed',
        data: { column },
      })),
    )
  const out: RawBuilder<unknown>[] = []
  for (const [name, value] of Object.entries(filters)) {
    const filter = known[name]!
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
  const narrowed = narrowing(query, source)
  const where = all([...source.where, ...narrowed])
  const parts = orderParts(query, source)
  const order = inOrder(parts, source)
  const offset = (query.page - 1) * query.perPage
  const span = sql`order by ${order} limit ${query.perPage} offset ${offset}`
  const key = sql.raw(source.key ?? 't.id')
  const { rows, count } = selective(query, source)
    ? // The rows found are few, and finding them is the work: it is done once, for the count and for the page. How many a page
      // has stands in the text (there are few sizes of pages), so that one plan is kept instead of made for each question.
      await readRows<Row>(ctx.db, source, {
        before: sql`found as materialized (select ${key} as k, ${parts.by} as o from ${leanest(ctx.db, source, sql`${parts.by} ${where}`)} where ${where}),
          here as (select k from found order by o ${parts.way}, k ${parts.direction}
            limit ${sql.lit(query.perPage)} ${offset ? sql`offset ${offset}` : sql``}),`,
        which: sql`where ${key} in (select k from here) order by ${order}`,
        count: sql`select count(*) from found`,
      })
    : await readRows<Row>(ctx.db, source, {
        // Far down, the rows that are passed over must not cost their columns: there the keys of the page are found first.
        which:
          offset < FAR_DOWN
            ? sql`where ${where} ${span}`
            : sql`where ${key} in (select ${key} from ${source.from} where ${where} ${span}) order by ${order}`,
        count:
          source.total && !narrowed.length
            ? source.total
            : sql`select count(*) from ${leanest(ctx.db, source, where)} where ${where}`,
      })
  return { data: rows, meta: { count, lookup: {} } }
}

/**
 * The table in which rows are found: the narrow one where what is asked speaks of its columns alone. Who speaks of the row as
 * a whole, or of another thing by its name, is given the row.
 */
function leanest(db: Db | Tx, { from, narrow, key }: ListSource, asked: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!narrow || (key !== undefined && key !== 't.id')) return from
  const { sql: text } = asked.compile(db)
  const names = text.replaceAll(LITERAL, '').matchAll(ALIAS)
  return [...names].every(([, name]) => name !== undefined && narrow.columns.has(name.replaceAll('"', '')))
    ? sql.raw(`${narrow.table} t`)
    : from
}
const LITERAL = /'(?:[^']|'')*'/g
/** The alias of the rows wherever it stands, with the column of it that is meant, if one is. */
const ALIAS = /(?<![\w.])"?t"?(?![\w"])(?:\s*\.\s*("\w+"|\w+))?/g

interface Head {
  /** Null where nobody asked for it. */
  readonly count: number | null
  readonly refs: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null
}

/**
 * The rows of a source in their order, with the records they name. What is told of all of them together comes before the
 * first of them, in the same statement: a record that a thousand rows name is read, sent and parsed once.
 */
async function readRows<Row extends object>(
  db: Db | Tx,
  { select, from, refs = [] }: ListSource,
  {
    before = sql``,
    which,
    count = sql`null`,
  }: Record<'which', RawBuilder<unknown>> & Partial<Record<'before' | 'count', RawBuilder<unknown>>>,
): Promise<{ rows: Row[]; count: number }> {
  const records = refs.map(
    ({ as, column, table, record }) =>
      sql`${sql.lit(as)}, (select json_object_agg(r.id, ${sql.raw(record)}) from ${sql.raw(table)} r
        where r.id in (select ${sql.ref(column)} from page))`,
  )
  const { rows } = await sql<Row & { __head: Head | null }>`
    with ${before} page as materialized (select ${select} from ${from} ${which})
    select json_build_object('count', (${count}), 'refs', ${
      records.length ? sql`json_build_object(${sql.join(records)})` : sql`null`
    }) as __head, page.* from (select) as always left join page on false
    union all select null, page.* from page`.execute(db)
  const { count: total, refs: known } = rows.shift()!.__head!
  for (const { as, column } of refs) {
    const found = known?.[as]
    for (const row of rows as Record<string, unknown>[]) row[as] = found?.[row[column] as number] ?? null
  }
  return { rows, count: total ?? 0 }
}

/** Rows of a source that meet a condition, whatever else it admits, in no order. */
export const rowsWhere = async <Row extends object>(
  db: Db | Tx,
  source: ListSource,
  condition: RawBuilder<unknown>,
): Promise<Row[]> => (await readRows<Row>(db, source, { which: sql`where ${condition}` })).rows

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
  const where = all([...source.where, ...narrowing(query, source)])
  const { rows } = await readRows<Row>(ctx.db, source, {
    which: sql`where ${where} order by ${inOrder(orderParts(query, source), source)} limit ${limit}`,
  })
  return rows
}

/** The conditions that a caller adds: what is searched and filtered. */
function narrowing(query: ListQuery, source: ListSource): RawBuilder<unknown>[] {
  const search = searchCondition(query.search, source.search ?? [])
  return [...(search ? [search] : []), ...filterConditions(query.filters, source.filters ?? {})]
}
