/** Fees of requests: each is an invoice of its own, and what is paid of it lets the request go on. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import {
  chargeFee,
  feeSettled,
  quoteFee,
  takeBackFee,
  type Fee,
  type FeePayer,
  type Price,
} from '#kit/server/workflow/fees.ts'
import { hear } from '#kit/server/base/hears.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { feesTold } from '../holds.server.ts'
import { holdInvoice, issueInvoices, reverseInvoice, type DraftInvoice } from '../issue.server.ts'
import { LEAST_DAYS } from '../next/draft.rules.ts'
import type { FeeItem } from '#areas/money/fees/pricing.rules.ts'
import { askedDraft, priceAsked } from './asked.server.ts'
import { chargedPayer, priceForPayer } from './payer.server.ts'

/** A sum as people read it. */
const said = (amount: number, currency: string): string => `${(amount / 100).toFixed(2)} ${currency}`

/** Charges for a request by the prices of the year; null: the university has no price for it, or a scholarship takes all of it. */
async function charge(
  ctx: Ctx,
  tx: Tx,
  of: {
    readonly workflow: string
    readonly id: number
    readonly fee: string
    readonly quantity?: number
    readonly told?: boolean
    readonly price?: Price
    readonly type?: string
  } & FeePayer,
): Promise<Fee | null> {
  const { rows } = await sql<{ charged: boolean; prices: boolean }>`select
    exists (select from request_fees f where f.workflow = ${of.workflow} and f.record_id = ${of.id} and f.taken_back_at is null) as charged,
    exists (select from fee_versions) as prices`.execute(tx)
  if (firstRow(rows).charged) throw new Refusal(409, [{ code: 'fee_charged_already' }])
  if (of.price) return chargePrice(ctx, tx, { ...of, price: of.price })
  // A university without any prices charges for nothing.
  if (!firstRow(rows).prices) return null
  const quantity = of.quantity ?? 1
  const choose = (items: readonly FeeItem[]) =>
    items.flatMap(({ id, code }) => (code === of.fee ? [{ item_id: id, quantity }] : []))
  const asked =
    of.student_id === undefined
      ? await priceForPayer(tx, await chargedPayer(tx, of), choose)
      : await priceAsked(tx, of.student_id, choose)
  const { priced, items } = asked
  if (!items.length) return null
  if (priced.reasons.length) throw new Refusal(409, priced.reasons)
  if (priced.currency === null || priced.amount === 0) return null
  const [issued] = await issueInvoices(ctx, tx, [
    askedDraft(asked, {
      type: items[0]!.type,
      request: { workflow: of.workflow, id: of.id },
      told: of.told ?? false,
      installments: [{ amount: priced.amount, due_date: addDays(dayOf(), LEAST_DAYS) }],
    }),
  ])
  await sql`insert into request_fees (invoice_id, workflow, record_id) values (${issued!.id}, ${of.workflow}, ${of.id})`.execute(
    tx,
  )
  return {
    number: issued!.number,
    sum: said(priced.amount, priced.currency),
    link: of.student_id === undefined ? '/my_money' : `/payments/${issued!.id}`,
  }
}

/** What a student would pay, as `charge` would charge it now; null as well where the price cannot be determined. */
async function quote(
  db: Db | Tx,
  { fee, student_id }: { readonly fee: string; readonly student_id: number },
): Promise<{ amount: number; currency: string } | null> {
  const choose = (items: readonly FeeItem[]) =>
    items.flatMap(({ id, code }) => (code === fee ? [{ item_id: id, quantity: 1 }] : []))
  const asked = await priceAsked(db, student_id, choose, { hold: false }).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  if (!asked?.items.length || asked.priced.reasons.length) return null
  const { amount, currency } = asked.priced
  return currency === null || amount === 0 ? null : { amount, currency }
}

type Whose = Pick<DraftInvoice, 'payer_id' | 'faculty_id' | 'program_id' | 'level' | 'term_id' | 'year_id'> & {
  readonly usd: boolean
}
/** Whose invoice it is, and whether it is in dollars. */
async function whoseFee(tx: Tx, payer: FeePayer): Promise<Whose> {
  if (payer.student_id === undefined) {
    const { payer_id, faculty_id, nationality_group } = await chargedPayer(tx, payer)
    const { rows } = await sql<{ term_id: number | null; year_id: number | null }>`select m.id as term_id, m.year_id
      from (values (1)) one left join terms m on m.id = ${currentTermId()}`.execute(tx)
    const usd = (nationality_group?.currency ?? 'EGP') !== 'EGP'
    return { ...firstRow(rows), payer_id, faculty_id, program_id: null, level: null, usd }
  }
  const { rows } = await sql<Whose>`
    select p.id as payer_id, s.faculty_id, s.program_id, s.level, m.id as term_id, m.year_id, coalesce(n.currency, 'EGP') <> 'EGP' as usd
    from students s join payers p on p.student_id = s.id and p.main left join terms m on m.id = ${currentTermId()}
      left join nationality_groups n on n.id = nationality_group_of(s.nationality_id)
    where s.id = ${payer.student_id}`.execute(tx)
  return firstRow(rows)
}

/** Charges a price that the request itself has: in the currency of the payer's group of nationalities. */
async function chargePrice(
  ctx: Ctx,
  tx: Tx,
  of: {
    readonly workflow: string
    readonly id: number
    readonly fee: string
    readonly price: Price
    readonly type?: string
    readonly told?: boolean
  } & FeePayer,
): Promise<Fee | null> {
  const { usd, ...whose } = await whoseFee(tx, of)
  const amount = usd ? of.price.usd : of.price.local
  if (amount === 0) return null
  const currency = usd ? 'USD' : 'EGP'
  const type = of.type === 'certificates' ? of.type : 'services'
  const [issued] = await issueInvoices(ctx, tx, [
    {
      ...whose,
      type,
      currency,
      basis: { request: { workflow: of.workflow, id: of.id } },
      told: of.told ?? false,
      lines: [
        {
          account: type,
          item: of.fee,
          name: of.price.name[0],
          name_local: of.price.name[1],
          unit_amount: amount,
          amount,
        },
      ],
      installments: [{ amount, due_date: addDays(dayOf(), LEAST_DAYS) }],
    },
  ])
  await sql`insert into request_fees (invoice_id, workflow, record_id) values (${issued!.id}, ${of.workflow}, ${of.id})`.execute(
    tx,
  )
  return {
    number: issued!.number,
    sum: said(amount, currency),
    link: of.student_id === undefined ? '/my_money' : `/payments/${issued!.id}`,
  }
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
export const requestFees = [hear(chargeFee, charge), hear(quoteFee, quote), hear(takeBackFee, takeBack)]

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
