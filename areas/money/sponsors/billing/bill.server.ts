/** Invoices of sponsors: one of a term with a line of each student; what is taken over later comes on another one. */
import { issueInvoices, type Issued } from '#areas/money/invoices/issue.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import { addDays } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'
import { universityToday } from '../today.server.ts'
import type { BillFor, BillResult } from './billing.contract.ts'
import { BILLED, creditBilled, TAKEN } from '../shares/follow.server.ts'
import { sponsorMailJob } from './mail.server.ts'

interface Unbilled {
  readonly share_id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly number: string
  readonly student_id: number
  readonly reference: string | null
  readonly amount: number
}
/** What a sponsor took over of a term and is not on an invoice of it yet, by student. */
const unbilledOf = async (tx: Tx, sponsor_id: number, term_id: number | null): Promise<Unbilled[]> =>
  (
    await sql<Unbilled>`
      select h.id as share_id, s.code, s.name, s.name_local, s.id as student_id, i.number, p.reference, (x.taken - x.billed)::float8 as amount
      from sponsorships p join sponsor_shares h on h.sponsorship_id = p.id join invoices i on i.id = h.invoice_id
        join students s on s.id = p.student_id cross join lateral (select ${TAKEN} as taken, ${BILLED} as billed) x
      where p.sponsor_id = ${sponsor_id} and i.term_id is not distinct from ${term_id}::int and x.taken > x.billed
      order by s.code, h.id`.execute(tx)
  ).rows

/**
 * Issues the invoice of a sponsor for a term: the first one, or a further one of what was taken over since. It is due by the days of
 * the sponsor, and paid at once as far as the sponsor had paid more than it owed.
 *
 * @returns null: there is nothing that is not invoiced
 */
export async function billSponsor(
  ctx: Ctx,
  tx: Tx,
  {
    sponsor_id,
    term_id,
    on = null,
  }: { readonly sponsor_id: number; readonly term_id: number | null; readonly on?: string | null },
): Promise<(Issued & { readonly amount: number; readonly students: number; readonly currency: string }) | null> {
  const { rows } = await sql<{ payer_id: number; due_days: number; currency: string; year_id: number | null }>`
    select p.id as payer_id, o.due_days, o.currency, (select year_id from terms where id = ${term_id}::int) as year_id
    from sponsors o join payers p on p.sponsor_id = o.id where o.id = ${sponsor_id}`.execute(tx)
  const [sponsor] = rows
  if (!sponsor) return null
  const { payer_id, due_days, currency, year_id } = sponsor
  await holdPayers(tx, sql`${payer_id}::int`)
  await creditBilled(ctx, tx, sql`h.sponsorship_id in (select id from sponsorships where sponsor_id = ${sponsor_id})`)
  const of = await unbilledOf(tx, sponsor_id, term_id)
  const amount = of.reduce((sum, one) => sum + one.amount, 0)
  if (!of.length) return null
  const [issued] = await issueInvoices(ctx, tx, [
    {
      payer_id,
      year_id,
      term_id,
      type: 'sponsor',
      currency,
      faculty_id: null,
      program_id: null,
      level: null,
      ...(on !== null && { issued_on: on }),
      told: true,
      lines: of.map((one) => ({
        account: 'sponsored',
        item: one.code,
        name: one.name,
        name_local: one.name_local,
        rule: { student_id: one.student_id, invoice: one.number, ...(one.reference && { reference: one.reference }) },
        unit_amount: one.amount,
        amount: one.amount,
        payer_id,
        share_id: one.share_id,
      })),
      installments: [{ amount, due_date: addDays(on ?? (await universityToday(tx)), due_days) }],
    },
  ])
  await payFromWallet(ctx, tx, { payer_id, invoice_id: issued!.id, currency, amount })
  return { ...issued!, amount, students: new Set(of.map((one) => one.student_id)).size, currency }
}

/** What a sponsor, who is held, had paid more than it owed settles its next invoice. */
async function payFromWallet(
  ctx: Ctx,
  tx: Tx,
  of: { readonly payer_id: number; readonly invoice_id: number; readonly currency: string; readonly amount: number },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into transactions (payer_id, way, currency, amount, invoice_id, created_by)
    select b.payer_id, 'wallet', b.currency, least(b.wallet, ${of.amount}), ${of.invoice_id}, ${ctx.actor?.user_id ?? null}
    from payer_balances b where b.payer_id = ${of.payer_id} and b.currency = ${of.currency} and b.wallet > 0 returning id`.execute(
    tx,
  )
  if (rows[0]) await bookTransactions(ctx, tx, [rows[0].id], { only: true })
}

/** Invoices of sponsors for a term, each by itself: what fails stops no other. */
export const sponsorInvoicesJob = defineJob<BillFor, BillResult>({
  name: 'sponsor-invoices',
  retries: 2,
  run: async (ctx, { term_id, sponsor_ids, mail }, progress) => {
    const { rows: sponsors } = await sql<{ id: number; name: string; name_local: string; email: string | null }>`
      select distinct o.id, o.name, o.name_local, o.email from sponsors o join sponsorships s on s.sponsor_id = o.id
        join sponsor_shares h on h.sponsorship_id = s.id join invoices i on i.id = h.invoice_id
      where i.term_id = ${term_id} and (${sponsor_ids ? null : 1}::int is not null or o.id = any(${sponsor_ids ?? []}::int[]))
      order by o.id`.execute(ctx.db)
    const issued: BillResult['issued'] = []
    for (const [i, sponsor] of sponsors.entries()) {
      const one = await ctx.write(async (tx) => {
        const made = await billSponsor(ctx, tx, { sponsor_id: sponsor.id, term_id })
        if (made && mail && sponsor.email)
          await ctx.services.jobs.send(
            tx,
            sponsorMailJob,
            { invoice_id: made.id },
            { actor: ctx.actor, lang: ctx.lang },
          )
        return made
      })
      if (one) {
        const { id, number, amount, students, currency } = one
        issued.push({
          id,
          number,
          amount,
          students,
          currency,
          mailed: mail && sponsor.email !== null,
          sponsor: { id: sponsor.id, name: sponsor.name, name_local: sponsor.name_local },
        })
      }
      await progress(Math.round(((i + 1) * 100) / sponsors.length))
    }
    return { sponsors: sponsors.length, issued }
  },
})
