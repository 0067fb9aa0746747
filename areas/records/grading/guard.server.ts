/** The one place where the server says on whose authority a transaction changes what control holds. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { followBefore } from '#kit/server/workflow/basis.ts'
import { beforeCommit } from '#kit/server/unit/unit.ts'
import type { Authority } from './guard.rules.ts'
import { signChanged } from './signing/sign.server.ts'

/** Authorities on which nothing that is signed can be changed: the database refuses it before. */
const BELOW: readonly Authority[] = ['control', 'excuse']

/**
 * From here on the transaction acts on this authority; null: on none, as every transaction begins. The database refuses
 * what it does not reach (`control_holds`). Whoever calls this has judged by `guard.rules.ts` that it may. Signed grade
 * sheets that are changed on it are signed again before the transaction commits.
 */
export async function actOn(tx: Tx, authority: Authority | null): Promise<void> {
  await sql`select set_config('ems.authority', ${authority ?? ''}, true)`.execute(tx)
  if (authority === null || BELOW.includes(authority)) return
  // What stands on the results follows first, so that its own changes are signed as well.
  followBefore(tx)
  // Results that are computed follow from something: that is what the signature tells.
  beforeCommit(tx, 'grade sheets', (unit) => signChanged(unit, authority), { unless: authority === 'step' })
}
