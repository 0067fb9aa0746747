import { draftNextOf } from '#areas/money/invoices/next/next.server.ts'
import { issueInvoices } from '#areas/money/invoices/issue.server.ts'
import { feeSettingsOf } from '#areas/money/fees/settings.server.ts'
import type { Tx } from '#db/connect.ts'
import { demoPart, usersByEmail } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { bookTransactions } from './book.server.ts'

/** Nobody listens while the demo university is loaded. */
export const SILENT = { actor: null, services: { events: { publish: async () => {} } } } as unknown as Ctx

/** Students of whom there are invoices; the others' are issued on the screen. */
const STUDENTS = 240
/** How money came, in turn. */
const WAYS = ['mobile', 'card', 'bank', 'mobile', 'cash', 'card', 'bank'] as const

export interface Invoice {
  readonly id: number
  readonly payer_id: number
  readonly currency: string
  readonly total: number
  readonly first: number
}

/** Pays invoices, each a part of what it charges, by ways in turn, on the days that are said. */
export async function payDemo(
  tx: Tx,
  of: readonly (Invoice & { amount: number; on: string })[],
  shift: number,
  cashier: number | null,
  from: number,
) {
  for (const [on, there] of Map.groupBy(of, (one) => one.on)) {
    const { rows } = await sql<{ id: number }>`
      insert into transactions (payer_id, way, currency, amount, status, invoice_id, shift_id, receipt, provider, provider_reference, created_by, created_at)
      select payer_id, way, currency, amount, 'pending', invoice_id, case when way = 'cash' then ${shift}::int end,
        case when way = 'cash' then 'R-' || to_char(${on}::date, 'YYYY') || '-D' || lpad(n::text, 6, '0') end,
        case way when 'mobile' then 'fawry' when 'card' then 'paymob' end, case when way in ('mobile', 'card') then 'DEMO' || n end,
        case when way = 'cash' then ${cashier}::int end, ${on}::date + interval '10 hours'
      from jsonb_to_recordset(${JSON.stringify(
        there.map((one) => ({
          payer_id: one.payer_id,
          way: WAYS[one.id % WAYS.length],
          currency: one.currency,
          amount: one.amount,
          invoice_id: one.id,
          n: from + one.id,
        })),
      )}::jsonb) x (payer_id int, way text, currency text, amount bigint, invoice_id int, n int) where amount > 0 returning id`.execute(
      tx,
    )
    await bookTransactions(
      SILENT,
      tx,
      rows.map((row) => row.id),
      { booked_on: on },
    )
    await sql`update transactions set paid_at = created_at where id = any(${rows.map((row) => row.id)}::int[])`.execute(
      tx,
    )
  }
}

/**
 * Invoices of the present term and of the same one a year ago, and what was paid of them: most in full, some the first instalment,
 * some nothing yet; a few students of the last year owe still, and are held.
 */
export default demoPart(
  ['invoices', 'transactions', 'cash_shifts'],
  [
    'fee_versions',
    'fee_prices',
    'scholarship_grants',
    'registrations',
    'banks',
    'users',
    'terms',
    'students',
    'postgraduates',
  ],
  async (tx, demo) => {
    const users = await usersByEmail(tx)
    const cashier = users.get(`cashier@${demo.university.domain}`) ?? null
    if (cashier === null) return
    const { rows: shifts } = await sql<{
      id: number
    }>`insert into cash_shifts (number, cashier_id, opened_at, closed_at)
      values ('S-DEMO', ${cashier}, now() - interval '1 day', now() - interval '17 hours') returning id`.execute(tx)
    const now = demo.terms.find((one) => one.id === demo.current_terms.current_term)!
    const before = demo.terms.find((one) => one.type === now.type && one.year_id === now.year_id - 1)
    const { rows: students } = await sql<{ id: number; payer_id: number; last: boolean }>`
      select s.id, p.id as payer_id, row_number() over (order by g.study_level = 'postgraduate', s.id desc) <= 6 as last from (
        (select s.* from students s join users u on u.id = s.user_id where u.email like 'student@%')
        union (select s.* from students s where s.status = 'studying' and s.removed_at is null order by s.id limit ${STUDENTS})
        union (select s.* from students s join programs g on g.id = s.program_id where g.study_level = 'postgraduate')) s
      join programs g on g.id = s.program_id join payers p on p.student_id = s.id and p.main order by s.id`.execute(tx)
    const last = new Set(students.filter((one) => one.last).map((one) => one.payer_id))
    const today = dayOf()
    for (const [turn, term] of [before, now].entries()) {
      if (!term) continue
      const settings = await feeSettingsOf(tx, term.year_id)
      if (!settings) continue
      const issued_on = term.start_date < today ? term.start_date : today
      const drafts = await draftNextOf(
        tx,
        students,
        { term_id: term.id, year_id: term.year_id },
        settings,
        turn ? today : issued_on,
      )
      const issued = await issueInvoices(
        SILENT,
        tx,
        drafts.map((draft) => ({ ...draft, issued_on })),
      )
      const invoices = drafts.map((draft, i): Invoice => ({
        id: issued[i]!.id,
        payer_id: draft.payer_id,
        currency: draft.currency,
        total: draft.lines.reduce((sum, line) => sum + line.amount, 0),
        first: draft.installments[0]!.amount,
      }))
      const paid = invoices.flatMap((invoice) => {
        const on = addDays(issued_on, 3 + (invoice.id % 40))
        const part =
          turn === 0
            ? last.has(invoice.payer_id)
              ? invoice.first
              : invoice.total
            : invoice.id % 10 < 5
              ? invoice.total
              : invoice.id % 10 < 8
                ? invoice.first
                : 0
        return on <= today && part > 0 ? [{ ...invoice, amount: part, on }] : []
      })
      await payDemo(tx, paid, shifts[0]!.id, cashier, turn * 100_000)
    }
    // Nobody was held while it was loaded.
    await sql`delete from student_holds where invoice_id is not null and lifted_at is not null`.execute(tx)
  },
)
