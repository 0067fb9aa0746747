/** Invoices of who works here and of guests, beside what areas charge them. */
import { otherPayerFor } from '#areas/money/ledger/others.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { checkDueDays, checkInstalments } from '../invoice.rules.ts'
import { issueInvoices } from '../issue.server.ts'
import { invoiceCalls, type PayerInvoiceBody } from './invoice.contract.ts'
import { todayIn } from './invoice.server.ts'

/** Issues an invoice to who works here or to a guest: of what somebody writes, as no item has a price for them. */
async function createForPayer(
  ctx: Ctx,
  tx: Tx,
  { lines, installments, currency, note, staff_id, guest_id }: PayerInvoiceBody,
) {
  if ((staff_id === undefined) === (guest_id === undefined))
    throw refuse(422, 'required', {}, staff_id === undefined ? 'staff_id' : 'guest_id')
  const total = lines.reduce((sum, one) => sum + one.amount, 0)
  const reasons = [
    ...checkInstalments(installments, total),
    ...checkDueDays([], installments, { settled: 0, today: await todayIn(tx) }),
  ]
  if (reasons.length) throw new Refusal(422, reasons)
  const payer = await otherPayerFor(ctx, tx, { staff_id, guest_id }, 'issue_invoice')
  const issued = await issueInvoices(ctx, tx, [
    {
      ...payer,
      year_id: null,
      term_id: null,
      program_id: null,
      level: null,
      type: 'extra',
      currency,
      note: note ?? null,
      lines: lines.map((line) => ({ ...line, item: 'extra', unit_amount: line.amount })),
      installments,
    },
  ])
  const { id, number } = firstRow(issued)
  return { data: { id, number } }
}

export const payerInvoiceHandlers: readonly Handled[] = [
  handle(invoiceCalls.createForPayer, (ctx, { body }) => ctx.write((tx) => createForPayer(ctx, tx, body))),
]
