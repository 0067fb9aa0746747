import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { HijriCorrection } from '#kit/contract/hijri.ts'

/** Corrected months, the earliest first. */
export async function hijriCorrections(db: Db | Tx): Promise<(HijriCorrection & { id: number })[]> {
  const { rows } = await sql<HijriCorrection & { id: number }>`
    select id, year, month, first_day::text as first_day from hijri_months order by year, month`.execute(db)
  return rows
}
