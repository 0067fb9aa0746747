import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'

/** The university's day, by which entries are booked. */
export const universityToday = async (db: Db | Tx): Promise<string> =>
  firstRow((await sql<{ today: string }>`select university_today()::text as today`.execute(db)).rows).today
