import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** The id of the term in which a part of the university works now (`current_term`, `current_control_term`, …); null: in none. */
export const currentTermId = (key = 'current_term'): RawBuilder<number | null> =>
  sql`(select term_id from current_terms where key = ${sql.lit(key)})`
