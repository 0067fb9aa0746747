/** What waits too long: whom it concerns is told once of each wait. */
import type { Tx } from '#db/connect.ts'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { notifyEach, type Notification } from '../mail/notifications.ts'
import type { Ctx } from '../base/context.ts'

/** A wait that is told of: its row in the table of waits, and who is told. */
export interface TooLong {
  readonly id: number
  readonly users: readonly number[] | null
}
/** Waits that are looked at together. */
const AT_ONCE = 200

/**
 * Tells of waits, each once: the day is kept in `mark` (a date of `table`, null until then) in the unit of work that tells. So two
 * processes, a job that was killed and runs again, and a clock that was set back tell nobody twice.
 *
 * `waits` selects those that are not marked yet, `limit` of them, `for update … skip locked`: what somebody moves on at this moment waits
 * for the next run, and what was moved on is not told of.
 *
 * @returns how many waits were told of
 */
export async function remindOnce<Wait extends TooLong>(
  ctx: Ctx,
  of: {
    readonly table: string
    readonly mark: string
    readonly waits: (limit: number) => RawBuilder<Wait>
    readonly says: (wait: Wait) => Notification
    /** What else is done for them, in the same unit of work. */
    readonly also?: (tx: Tx, waits: readonly Wait[]) => Promise<void>
  },
): Promise<number> {
  let sent = 0
  for (;;) {
    const some = await ctx.write(async (tx) => {
      const { rows } = await of.waits(AT_ONCE).execute(tx)
      if (!rows.length) return 0
      await sql`update ${sql.table(of.table)} set ${sql.ref(of.mark)} = university_today()
        where id = any(${rows.map((row) => row.id)}::int[])`.execute(tx)
      await notifyEach(
        tx,
        rows.flatMap((row) => (row.users ?? []).map((user_id) => ({ user_id, ...of.says(row) }))),
      )
      await of.also?.(tx, rows)
      return rows.length
    })
    sent += some
    if (some < AT_ONCE) return sent
  }
}
