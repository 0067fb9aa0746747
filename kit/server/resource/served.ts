import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Call } from '#kit/contract/call.ts'
import type { Access, ListQuery, Resource, Row } from '#kit/contract/index.ts'
import type { Ctx, Handled } from '../base/context.ts'
import type { Reason } from '../base/errors.ts'
import { wholeList } from './list.ts'
import type { ListSource } from './list.ts'

export type FieldName<R> = R extends Resource<string, infer F> ? keyof F & string : never

/** Values as written: fields of the resource, and further columns that a hook adds. */
export type Values = Record<string, unknown>

/** Whatever runs queries: the pool's, or a transaction's. */
type Queries = Db | Tx

/** A resource with all its workings: what `serveResource` serves, and the pieces own handlers build on. */
export interface Served<R extends Resource = Resource> {
  readonly def: R
  readonly handlers: readonly Handled[]
  /** Answers a call at another path as the resource's own is answered (`list`, `create`, `update`, `export`). */
  at(call: Call, as: 'list' | 'create' | 'update' | 'export'): Handled
  /** How far the keys reach, as a condition on `t`. */
  scope(ctx: Ctx, access: Access | readonly string[]): RawBuilder<unknown>
  /** Whether the reader reads a field of other people's rows too: else it is not offered for filters, orders, exports and imports. */
  reads(ctx: Ctx, field: FieldName<R>): boolean
  /** SQL: whether the reader reads a field of the row `t`. */
  readable(ctx: Ctx, field: FieldName<R>): RawBuilder<unknown>
  /**
   * SQL of a field of the row `t` as the reader may see it, null where not: by this every query of an area's own takes
   * fields of the resource.
   */
  column(ctx: Ctx, field: FieldName<R>): RawBuilder<unknown>
  /** Fields of one row that the reader does not read. */
  unread(ctx: Ctx, id: number, db?: Queries): Promise<ReadonlySet<string>>
  /** The list as a source, for lists that differ a little. */
  source(ctx: Ctx, options?: { removed?: boolean; access?: Access; detail?: boolean }): ListSource
  /** Rows as answered, with abilities, from rows selected by `source`. */
  finish(ctx: Ctx, rows: readonly Values[]): Row<R>[]
  /** One row as answered; undefined when it is not there or not within the reader's reach. */
  find(ctx: Ctx, db: Queries, id: number, access?: Access): Promise<Row<R> | undefined>
  /** The same. @throws {Refusal} 404 */
  get(ctx: Ctx, db: Queries, id: number, access?: Access): Promise<Row<R>>
  /**
   * Locks a row for a change, within the reach of the keys, and gives its values as written.
   * @throws {Refusal} 404; 409 `removed_record`, or why the ability named does not allow it
   */
  lock(
    ctx: Ctx,
    tx: Tx,
    id: number,
    options: { access: Access; ability?: string; removed?: boolean },
  ): Promise<Values & { id: number; version: number }>
  /** Values of rows as written, whoever asks: for rows found within the reader's reach. */
  stored(tx: Tx, ids: readonly number[]): Promise<(Values & { id: number; version: number })[]>
  /** What new rows of a sheet mean beyond what they say; completes their values. */
  readonly beforeLines?: (ctx: Ctx, tx: Tx, rows: readonly Values[]) => Promise<readonly (Reason | null)[]>
  /** What a row of a sheet says that cannot be true at once. */
  readonly lineProblems?: (said: Values, current: Values | null) => readonly Reason[]
  /** The write path, for a row that was checked by the call's schema. Gives the id. */
  insert(ctx: Ctx, tx: Tx, input: Values, access?: Access): Promise<number>
  /** The write path. `input.version`, when given, must be the stored one. */
  update(ctx: Ctx, tx: Tx, id: number, input: Values, access?: Access): Promise<void>
}

/** Rows of a list up to `limit`, as answered: for exports and papers. */
export async function rowsOf(
  ctx: Ctx,
  served: Served,
  query: ListQuery,
  limit: number,
  ids?: readonly number[],
  access?: Access,
): Promise<Values[]> {
  const base = served.source(ctx, { removed: query.removed, ...(access && { access }) })
  return wholeList<Values>(
    ctx,
    ids ? { ...base, where: [...base.where, sql`t.id = any(${ids}::int[])`] } : base,
    query,
    limit,
  )
}
