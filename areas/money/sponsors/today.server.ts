import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'

/** The university's day, by which entries are booked. */
export const universityToday = async (db: Db | Tx): Promise<string> =>
  (await sql<{ today: string }>`select university_today()::text as today`.execute(db)).rows[0]!.today
