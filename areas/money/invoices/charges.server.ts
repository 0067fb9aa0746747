/** What others hear of what invoices charge, in the transaction that changes it. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { asks, tells } from '#kit/server/base/hears.ts'
import type { DraftLine } from './invoice.rules.ts'

/** Invoices of students were issued, corrected by a note, or reversed; their payers are held. */
export const chargesChanged = tells<[ctx: Ctx, tx: Tx, invoiceIds: readonly number[]]>('invoice.charges_changed')

/**
 * An invoice, which is held, is about to charge less by these lines: what others pay of it falls first, so that it never charges
 * less than nothing.
 *
 * @returns whether that changed the invoice
 */
export const chargesFall = asks<[ctx: Ctx, tx: Tx, invoiceId: number, lines: readonly DraftLine[]], boolean>(
  'invoice.charges_fall',
  () => false,
)
