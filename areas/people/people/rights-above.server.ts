import type { Tx } from '#db/connect.ts'
import { covers, rightsOf } from '#access/rights.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'

/**
 * Nobody changes an account with more rights than the own: who could change its e-mail could take it by asking for a new
 * password. Everybody's own account is the own. @throws {Refusal} 403
 */
export async function refuseMoreRights(ctx: Ctx, tx: Tx, user_id: number): Promise<void> {
  const { actor } = ctx
  if (!actor || actor.is_root || actor.user_id === user_id) return
  if (!covers(actor.rights, await rightsOf(tx, user_id))) throw refuse(403, 'person_has_more_rights')
}
