/** What fees tell areas that charge by them. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'

/** Another version of the prices of a year was saved in this transaction. */
export const pricesChanged = tells<[ctx: Ctx, tx: Tx, year_id: number]>('fees.prices_changed')
