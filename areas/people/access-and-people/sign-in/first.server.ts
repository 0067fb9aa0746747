import type { Ctx } from '#kit/server/base/context.ts'
import { asks } from '#kit/server/base/hears.ts'

/**
 * Where a person is led once after signing in, if something waits before everything else; null: nowhere. The screen at this address
 * leads on to `?then=`, where the person was going.
 */
export const ledFirst = asks<[ctx: Ctx, user_id: number], string | null>('person.first', () => null)
