import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'

/** An invoice was reversed, or a note took all of it: what stood on it, such as a fee for being reminded of it, goes too. Its payer is held. */
export const invoiceGone = tells<[ctx: Ctx, tx: Tx, invoice_id: number, reason: string]>('invoice.gone')
