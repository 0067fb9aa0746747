import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'

/**
 * Seats of these offerings were given back or added, or an offering opened, in this transaction: registration keeps the queue
 * that waits for them.
 */
export const seatsAppeared = tells<[ctx: Ctx, tx: Tx, offeringIds: readonly number[]]>('offering.seats_appeared')
