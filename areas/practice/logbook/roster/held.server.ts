/** Trainings and rosters as they are held while duties are changed. */
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { trainingOfDuties } from '../reach.server.ts'

/** A training within reach by a right; held where something is changed. @throws {Refusal} 404 */
export async function reachedDuties(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  right: 'access_roster' | 'plan_roster',
  hold = false,
): Promise<void> {
  const { rows } = await sql`select from emtyaz_trainings t where t.id = ${id} and t.removed_at is null
    and ${scopeCondition(ctx, right, trainingOfDuties(ctx))} ${hold ? sql`for no key update` : sql``}`.execute(db)
  if (!rows.length) throw refuse(404, 'not_found')
}
/** A roster within reach with its training held. @throws {Refusal} 404; 409 where another version was seen */
export async function heldRoster(ctx: Ctx, tx: Tx, id: number, version?: number) {
  const { rows } = await sql<{
    training_id: number
  }>`select training_id from duty_rosters where id = ${id} and removed_at is null`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  await reachedDuties(ctx, tx, rows[0].training_id, 'plan_roster', true)
  const { rows: held } = await sql<{
    training_id: number
    version: number
    status: string
    starts_on: string
    ends_on: string
  }>`select training_id, version, status, starts_on::text, ends_on::text from duty_rosters where id = ${id} and removed_at is null
    for update`.execute(tx)
  if (!held[0]) throw refuse(404, 'not_found')
  if (version !== undefined && version !== held[0].version) throw refuse(409, 'changed_meanwhile')
  return held[0]
}
