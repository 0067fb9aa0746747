/** Fees of requests: each is an invoice of its own, and what is paid of it lets the request go on. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { priceLines } from '#areas/money/fees/pricing.rules.ts'
import { feeFacts, feeSettingsOf } from '#areas/money/fees/settings.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { chargeFee, feeSettled, takeBackFee, type Fee } from '#kit/server/workflow/fees.ts'
import { hear } from '#kit/server/base/hears.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { feesTold } from '../holds.server.ts'
import { holdInvoice, issueInvoices, reverseInvoice } from '../issue.server.ts'
import { draftLines, LEAST_DAYS } from '../next/draft.rules.ts'
import { usedOf, withUsed } from '../next/next.server.ts'

interface Payer {
  readonly payer_id: number
  readonly term_id: number
  readonly year_id: number
  /** The fee of this request stands already. */
  readonly charged: boolean
}

/** A sum as people read it. */
const said = (amount: number, currency: string): string => `${(amount / 100).toFixed(2)} ${currency}`

/** Charges for a request by the prices of the year; null: the university has no price for it, or a scholarship takes all of it. */
async function charge(
  ctx: Ctx,
  tx: Tx,
  of: { readonly workflow: string; readonly id: number; readonly student_id: number; readonly fee: string },
): Promise<Fee | null> {
  const { rows } = await sql<Payer>`select p.id as payer_id, t.id as term_id, t.year_id,
      exists (select from request_fees f where f.workflow = ${of.workflow} and f.record_id = ${of.id} and f.taken_back_at is null) as charged
    from payers p join terms t on t.id = ${currentTermId()} where p.student_id = ${of.student_id} and p.main`.execute(
    tx,
  )
  if (!rows[0]) throw new Refusal(409, [{ code: 'invoice_no_term' }])
  const { payer_id, term_id, year_id, charged } = rows[0]
  if (charged) throw new Refusal(409, [{ code: 'fee_charged_already' }])
  const settings = await feeSettingsOf(tx, year_id)
  if (!settings) throw new Refusal(409, [{ code: 'invoice_no_settings' }])
  const item = settings.items.find(({ code }) => code === of.fee)
  if (!item) return null
  await holdPayers(tx, sql`select ${payer_id}::int`)
  const known = (await feeFacts(tx, [of.student_id], { term_id })).get(of.student_id)!
  const used = await usedOf(tx, [payer_id], year_id, { all: true })
  const facts = {
    ...withUsed(known, used.get(payer_id)),
    asked: [{ item_id: item.id, quantity: 1 }],
    only_asked: true,
  }
  const { lines, reasons, currency, amount } = priceLines(facts, settings)
  if (reasons.length) throw new Refusal(409, reasons)
  if (currency === null || amount === 0) return null
  const [issued] = await issueInvoices(ctx, tx, [
    {
      payer_id,
      year_id,
      term_id,
      type: item.type,
      currency,
      faculty_id: facts.faculty_id,
      program_id: facts.program_id,
      level: facts.level,
      setting_version_id: settings.version_id,
      basis: { facts, request: { workflow: of.workflow, id: of.id } },
      lines: draftLines(lines),
      installments: [{ amount, due_date: addDays(dayOf(), LEAST_DAYS) }],
    },
  ])
  await sql`insert into request_fees (invoice_id, workflow, record_id) values (${issued!.id}, ${of.workflow}, ${of.id})`.execute(
    tx,
  )
  return { number: issued!.number, sum: said(amount, currency), link: `/payments/${issued!.id}` }
}

/** Reverses what was charged for a request; what was paid of it goes into the wallet. */
async function takeBack(
  ctx: Ctx,
  tx: Tx,
  { workflow, id }: { readonly workflow: string; readonly id: number },
  reason: string,
): Promise<void> {
  const { rows } = await sql<{ invoice_id: number }>`update request_fees set taken_back_at = now()
    where workflow = ${workflow} and record_id = ${id} and taken_back_at is null returning invoice_id`.execute(tx)
  for (const { invoice_id } of rows) {
    const invoice = await holdInvoice(tx, invoice_id)
    if (!invoice.reversed) await reverseInvoice(ctx, tx, invoice, reason)
  }
}

/** What requests ask of the wing of money. */
export const requestFees = [hear(chargeFee, charge), hear(takeBackFee, takeBack)]

/** Tells requests what became of their fees: sent when something was paid or cancelled, and by the clock for what was missed. */
export const requestFeesJob = defineJob<Record<string, never>, { told: number }>({
  name: feesTold,
  cron: '* * * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Fees of requests')
    const { rows } = await sql<{
      invoice_id: number
      workflow: string
      record_id: number
      settled: boolean
    }>`select invoice_id, workflow, record_id, settled from request_fees_untold order by invoice_id`.execute(ctx.db)
    let told = 0
    const failures: Error[] = []
    for (const { invoice_id, workflow, record_id: id, settled } of rows) {
      try {
        await ctx.write(async (tx) => {
          if (await feeSettled(ctx, tx, { workflow, id }, settled)) told++
          await sql`update request_fees set settled = ${settled} where invoice_id = ${invoice_id}`.execute(tx)
        })
      } catch (error) {
        // A request that cannot go on keeps none of the others waiting.
        failures.push(error as Error)
      }
    }
    if (failures[0]) throw failures[0]
    return { told }
  },
})
