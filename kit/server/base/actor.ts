import type { Actor, Ctx } from './context.ts'
import { refuse } from './errors.ts'

/** The acting user, in calls that need somebody signed in. @throws {Refusal} 401 */
export function actorIn(ctx: Pick<Ctx, 'actor'>): Actor {
  if (!ctx.actor) throw refuse(401, 'not_signed_in')
  return ctx.actor
}
