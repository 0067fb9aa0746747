import { randomBytes } from 'node:crypto'
import type { Queryable } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'

/** 32 bytes that this university alone knows, and all its processes: made when somebody first asks for them. */
export async function secretOf({ pool }: { readonly pool: Queryable }, name: string): Promise<Buffer> {
  const { rows } = await pool.query<{ value: Buffer }>(
    // The name is written onto itself: one statement also reads what a quicker process made in the same moment.
    `insert into secrets (name, value) values ($1, $2) on conflict (name) do update set name = excluded.name returning value`,
    [name, randomBytes(32)],
  )
  return firstRow(rows).value
}
