/** The one place where the server says on whose authority a transaction changes what control holds. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Authority } from './guard.rules.ts'

/**
 * From here on the transaction acts on this authority; null: on none, as every transaction begins. The database refuses
 * what it does not reach (`control_holds`). Whoever calls this has judged by `guard.rules.ts` that it may.
 */
export async function actOn(tx: Tx, authority: Authority | null): Promise<void> {
  await sql`select set_config('ems.authority', ${authority ?? ''}, true)`.execute(tx)
}
