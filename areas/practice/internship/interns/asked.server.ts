/** What stands against completing an internship year, as later areas know it. */
import type { Db, Tx } from '#db/connect.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { asks } from '#kit/server/base/hears.ts'

/** What is missing of an intern's year besides rotations: the logbook answers. */
export const yearReasons = asks<[db: Db | Tx, intern_id: number], Reason[]>('internship.year_reasons', () => [])
