import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { attempt, personLimit } from '#kit/server/identity/attempts.ts'
import { endSessions } from '#kit/server/identity/sessions.ts'

/** Ends all sessions of the caller who types the right code. After a few wrong ones, each attempt has to wait longer. */
export async function endByCode(ctx: Ctx, typed: string, right: string): Promise<number> {
  const { user_id } = ctx.actor!
  const succeeded = await attempt(ctx.services.pool, [personLimit('example code', user_id)])
  if (typed !== right) throw refuse(403, 'not_allowed')
  await succeeded()
  return ctx.write((tx) => endSessions(tx, user_id), { reason: 'by code' })
}
