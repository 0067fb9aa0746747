/** Nobody moves the own money: a student who works here, and who owes something as a member of staff, is served by a colleague. */
import type { Db, Tx } from '#db/connect.ts'
import { peopleOf, type Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql, type RawBuilder } from 'kysely'

/**
 * Whatever staff does with money of payers or with what they owe goes through here.
 *
 * @param payers SQL: ids of payers
 * @throws {Refusal} 403 `own_money` where one of them is who acts
 */
export async function refuseOwn(ctx: Ctx, tx: Db | Tx, payers: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql`select from payers p left join students s on s.id = p.student_id
    where p.id in (${payers}) and coalesce(s.user_id, p.user_id) = any(${peopleOf(ctx)}::int[]) limit 1`.execute(tx)
  if (rows.length) throw refuse(403, 'own_money')
}
