/** A scholarship applied to an invoice: granted to its student for its year, and taken off by a note in the same step. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { giveGrant, offerGrant } from '#areas/money/fees/scholarships/grants.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { checkNote } from '../invoice.rules.ts'
import { holdInvoice, writeNote } from '../issue.server.ts'
import { scholarshipLines } from './draft.rules.ts'
import { pricedNow, reprice, type Outdated } from './next.server.ts'
import { scholarshipCalls, type ScholarshipApplied } from './scholarship.contract.ts'

/** What invoices of a term are for; others are of what was asked for. */
const PRICED: readonly string[] = ['tuition', 'hours', 'summer']

interface Found extends Omit<Outdated, 'term_id' | 'year_id'> {
  /** None where it is for something that was asked for. */
  readonly term_id: number | null
  readonly year_id: number | null
  readonly type: string
  readonly currency: string
  readonly charged: number
  readonly settled: number
  readonly reversed: boolean
}
/** Whether it is for a term, and so has a price. */
const isOfTerm = (invoice: Found): invoice is Found & Outdated => invoice.year_id !== null && invoice.term_id !== null
/** An invoice of a student within reach of who grants scholarships. */
async function find(ctx: Ctx, db: Db | Tx, id: number): Promise<Found> {
  const { rows } = await sql<Found>`
    select i.id, i.payer_id, p.student_id, i.term_id, i.year_id, v.number::text as number, i.type, i.currency, i.reversed_at is not null as reversed,
      coalesce(b.charged, 0)::float8 as charged, coalesce(b.settled, 0)::float8 as settled
    from invoices i join payers p on p.id = i.payer_id join students s on s.id = p.student_id
      left join invoice_balances b on b.invoice_id = i.id left join fee_versions v on v.id = i.setting_version_id
    where i.id = ${id} and s.removed_at is null and ${scopeCondition(ctx, 'grant_scholarship', studentReach(ctx, 's'))}`.execute(
    db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

type Asked = Readonly<{ scholarship_id: number; until_year_id?: number | null | undefined }>
/** What a scholarship would take off an invoice, and every reason why it cannot. */
async function consider(ctx: Ctx, db: Db | Tx, invoice: Found, asked: Asked) {
  const { offered, reasons: against } = await offerGrant(ctx, db, invoice.student_id, {
    ...asked,
    // What is of no year is refused below, whatever the scholarship says of years.
    year_id: invoice.year_id ?? 0,
  })
  const priced = PRICED.includes(invoice.type) && isOfTerm(invoice) ? await pricedNow(db, invoice) : null
  const own = priced?.priced.reasons.length
    ? { lines: [], reasons: priced.priced.reasons }
    : priced
      ? scholarshipLines(priced.priced.lines, priced.facts.grants, offered, priced.settings)
      : { lines: [], reasons: [{ code: 'scholarship_not_priced' }] }
  const change = own.lines.reduce((sum, line) => sum + line.amount, 0)
  const noted = checkNote({ ...invoice, change }).filter((one) => one.code !== 'note_nothing')
  const reasons: Reason[] = [
    ...noted,
    // Without a year, that it is of another one says nothing.
    ...against.filter((one) => invoice.year_id !== null || one.code !== 'scholarship_other_year'),
    ...own.reasons,
  ]
  return { offered, reasons, priced, lines: own.lines, change }
}
type Considered = Awaited<ReturnType<typeof consider>>

const told = (invoice: Found, { offered, reasons, priced, lines, change }: Considered): ScholarshipApplied => {
  const items = new Map(priced?.priced.lines.map((line) => [line.item.id, line.item]))
  const after = invoice.charged + change
  return {
    scholarship: offered.scholarship,
    currency: invoice.currency,
    before: invoice.charged,
    after,
    released: reasons.length ? 0 : Math.max(0, invoice.settled - after),
    lines: lines.map((line) => {
      const { name, name_local } = items.get(line.rule?.item_id as number) ?? line
      return { name, name_local, amount: line.amount }
    }),
    reasons: reasons.map((reason) => toProblem(reason)),
    grant_id: null,
    note: null,
  }
}

export const nextScholarshipHandlers: readonly Handled[] = [
  handle(scholarshipCalls.apply, async (ctx, { params, body: { preview, reason, ...asked } }) => {
    if (preview) {
      const invoice = await find(ctx, ctx.db, params.id)
      return { data: told(invoice, await consider(ctx, ctx.db, invoice, asked)) }
    }
    if (!reason) throw refuse(422, 'required', undefined, 'reason')
    return ctx.write(
      async (tx) => {
        await find(ctx, tx, params.id)
        // What changed before is a note of its own, as the clock would write it.
        const { rows: outdated } =
          await sql`delete from outdated_invoices where invoice_id = ${params.id} returning 1`.execute(tx)
        await holdInvoice(tx, params.id)
        const before = await find(ctx, tx, params.id)
        if (outdated.length && isOfTerm(before)) await reprice(ctx, tx, before)
        const invoice = await find(ctx, tx, params.id)
        const considered = await consider(ctx, tx, invoice, asked)
        // One that is of no term is among the reasons.
        if (considered.reasons.length || !isOfTerm(invoice)) throw new Refusal(409, considered.reasons)
        const grant = await giveGrant(ctx, tx, invoice.student_id, { ...asked, year_id: invoice.year_id, reason })
        const { facts, settings, priced } = considered.priced!
        const { lines } = scholarshipLines(
          priced.lines,
          facts.grants,
          { ...considered.offered, id: grant.id },
          settings,
        )
        const note = await writeNote(ctx, tx, await holdInvoice(tx, params.id), lines, {
          reason: `${grant.scholarship.name}: ${reason}`,
          reason_local: `${grant.scholarship.name_local ?? grant.scholarship.name}: ${reason}`,
          kind: 'scholarship',
        })
        // The grant marked it as to be computed anew, which it is; other invoices of the year follow by themselves.
        await sql`delete from outdated_invoices where invoice_id = ${params.id}`.execute(tx)
        return { data: { ...told(invoice, considered), grant_id: grant.id, note: note.number } }
      },
      { reason },
    )
  }),
]
