import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { refuseMoreRights } from './rights-above.server.ts'

/**
 * What has to be so before an account goes, from whichever list it is removed: not one's own, not one with more rights, nor one who manages others. Its
 * sessions end. Roles and rights stay with it and have no force; they come back with it.
 *
 * @throws {Refusal} 409 for the own account and for a manager, 403 for one with more rights
 */
export async function beforeAccountRemoved(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  if (ctx.actor?.user_id === id) throw refuse(409, 'cannot_remove_yourself')
  await refuseMoreRights(ctx, tx, id)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where manager_id = ${id} and removed_at is null having count(*) > 0`.execute(
    tx,
  )
  if (rows[0]) throw refuse(409, 'employee_manages', { count: rows[0].count })
  await sql`delete from sessions where user_id = ${id}`.execute(tx)
}
