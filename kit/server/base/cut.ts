import { sql } from 'kysely'
import type { Kysely, RawBuilder, Transaction } from 'kysely'

/**
 * The first rows of a list without pages, and how many there are in all: what is cut is told.
 *
 * @param query in its order, without a limit
 * @example handle(calls.revisions, (ctx, { query: { most } }) => cutRows<Revision>(ctx.db, sql`select … order by …`, most))
 */
export async function cutRows<Row extends object>(
  db: Kysely<unknown> | Transaction<unknown>,
  query: RawBuilder<unknown>,
  most: number,
): Promise<{ data: Row[]; total: number }> {
  const { rows } = await sql<Row & { cut_total: number }>`
    select x.*, count(*) over ()::int as cut_total from (${query}) x limit ${most}`.execute(db)
  const total = rows[0]?.cut_total ?? 0
  return {
    data: rows.map((row) => {
      const { cut_total: _, ...own } = row
      return own as unknown as Row
    }),
    total,
  }
}
