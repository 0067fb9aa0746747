import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Rows per statement: large enough to be fast, small enough to stay far from the limits of one message. */
const BATCH = 10_000

export interface InsertOptions {
  /** Conflict clause, e.g. `on conflict do nothing`. */
  conflict?: string
  /** Column of which each inserted row's value is answered. */
  returning?: string
}

/**
 * Inserts many rows with one parameter per statement. The columns are the keys of the first row; ids given in rows are
 * kept. Values follow the column's type as JSON does (dates and decimals as text, arrays as arrays).
 *
 * @returns the values of `returning` in the order of the rows; nothing without it
 */
export async function insertRows<Value = number>(
  // A transaction of any schema.
  tx: Pick<Kysely<never>, 'getExecutor' | 'executeQuery'>,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  options: InsertOptions = {},
): Promise<Value[]> {
  const first = rows[0]
  if (!first) return []
  const columns = sql.join(Object.keys(first).map((c) => sql.ref(c)))
  const out: Value[] = []
  for (let i = 0; i < rows.length; i += BATCH) {
    const statement = sql`insert into ${sql.table(table)} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(i, i + BATCH))}::jsonb)
      ${sql.raw(options.conflict ?? '')}
      ${options.returning ? sql`returning ${sql.ref(options.returning)} as value` : sql``}`
    const answer = await statement.execute(tx)
    for (const row of answer.rows as { value: Value }[]) out.push(row.value)
  }
  return out
}

/** Sets the identity of a table to follow the largest id in it, after rows were inserted with ids of their own. */
export async function followIds(tx: Pick<Kysely<never>, 'getExecutor'>, ...tables: string[]): Promise<void> {
  for (const table of tables) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce((select max(id) from ${sql.table(table)}), 0) + 1, false)`.execute(
      tx,
    )
  }
}
