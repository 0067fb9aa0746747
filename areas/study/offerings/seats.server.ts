import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'

type SeatsAppeared = (ctx: Ctx, tx: Tx, offeringIds: readonly number[]) => Promise<void>
let told: SeatsAppeared | undefined

/** Says who hears of seats that appeared: registration, which keeps the queue, stands above offerings. */
export const setSeatsAppeared = (hear: SeatsAppeared): void => {
  told = hear
}

/** Seats of these offerings were given back or added, or an offering opened, in this transaction. */
export const seatsAppeared: SeatsAppeared = async (ctx, tx, offeringIds) => told?.(ctx, tx, offeringIds)
