import { sql } from 'kysely'
import { financeDashboard } from '#areas/office/reports/finance/dashboard.server.ts'
import { levelReport, programReport } from '#areas/office/reports/financial/financial.server.ts'
import { paymentsReport } from '#areas/office/reports/financial/payments.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import { generateStudents } from './students.ts'

const STUDENTS = Number(process.env.BENCH_REPORT_STUDENTS ?? 20_000)
const TIMES = 15

/**
 * The finance dashboard and the financial reports of 20,000 students: two invoices in each of two years, of two instalments each;
 * one of five owes the second instalment, which is late for some. Time of the statement and its answer, half of 15 times.
 */
export async function financialReports(bench: Bench): Promise<Result> {
  const { db } = await bench.database('bench_reports', 4)
  await generateStudents(db, bench.demo, STUDENTS)
  await fill(db)
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<{
    id: number
    faculty: number
  }>`select year_id as id, (select min(id) from faculties) as faculty from terms where id =
    (select term_id from current_terms where key = 'current_term')`.execute(db)
  const { id: year, faculty } = rows[0]!
  const ctx = { db, system: 'benchmark', actor: null, lang: 'en', can: () => true } as unknown as Ctx
  const half = async (work: () => Promise<unknown>): Promise<number> => {
    const taken: number[] = []
    for (let n = 0; n < TIMES; n++) {
      const started = performance.now()
      await work()
      taken.push(performance.now() - started)
    }
    return taken.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!
  }
  const { rows: counts } = await sql<{ invoices: number }>`select count(*)::int as invoices from invoices`.execute(db)
  return {
    name: 'reports',
    title: `finance dashboard and reports of ${STUDENTS.toLocaleString('en')} students with ${counts[0]!.invoices.toLocaleString('en')} invoices`,
    lines: [
      most('dashboard of the current year', await half(() => financeDashboard(ctx, { currency: 'EGP' })), 150, 'ms'),
      most(
        'dashboard of a faculty',
        await half(() => financeDashboard(ctx, { currency: 'EGP', faculty_id: faculty })),
        150,
        'ms',
      ),
      most(
        'dashboard of all years',
        await half(() => financeDashboard(ctx, { currency: 'EGP', year_id: null })),
        300,
        'ms',
      ),
      most('financial report by program, one year', await half(() => programReport(ctx, { year_id: year })), 300, 'ms'),
      most('financial report by level, everything', await half(() => levelReport(ctx, {})), 500, 'ms'),
      most(
        'by program, as of yesterday',
        await half(() => programReport(ctx, { as_of: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) })),
        1500,
        'ms',
      ),
      most(
        'received by way, a year',
        await half(() => paymentsReport(ctx, { by: 'way', from: '2020-01-01' })),
        300,
        'ms',
      ),
    ],
  }
}

/** Straight into the tables, as the ledger would keep them. */
async function fill(db: Awaited<ReturnType<Bench['database']>>['db']): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    const steps = [
      sql`truncate ledger_postings, ledger_entries, payer_balances, invoice_balances, transaction_allocations, invoice_lines, installments,
        invoice_notes, transactions, outdated_invoices, student_holds, invoices cascade`,
      sql`insert into payers (student_id) select s.id from students s where not exists (select from payers p where p.student_id = s.id)`,
      sql`create temp table made on commit drop as
        with y as (select w.year_id as now, (select max(o.id) from years o where o.start_date < y.start_date) as before from current_terms c
          join terms w on w.id = c.term_id join years y on y.id = w.year_id where c.key = 'current_term')
        select row_number() over () as n, p.id as payer_id, s.faculty_id, s.program_id, s.level, case when k < 2 then y.now else y.before end as year_id,
          (20000 + (p.id % 97) * 1000)::bigint as half, case when p.id % 5 = 0 then 1 else 2 end as parts,
          university_today() - 30 - (k / 2) * 365 - (p.id % 60)::int as on_day
        from payers p join students s on s.id = p.student_id cross join generate_series(0, 3) k cross join y`,
      sql`insert into invoices (id, number, payer_id, type, currency, issued_on, year_id, faculty_id, program_id, level) overriding system value
        select n, 'B-' || n, payer_id, 'extra', 'EGP', on_day, year_id, faculty_id, program_id, level from made`,
      sql`insert into installments (invoice_id, position, amount, due_date) select n, 1, half, on_day + 10 from made
        union all select n, 2, half, on_day + 60 from made`,
      sql`insert into ledger_entries (id, kind, source, currency, booked_on, settles, digest) overriding system value
        select n * 2, 'invoice', 'invoice:' || n, 'EGP', on_day, false, '' from made
        union all select n * 2 + 1, 'payment', 'transaction:' || n, 'EGP', on_day + (n % 25)::int, true, '' from made`,
      sql`insert into ledger_postings (entry_id, account_id, payer_id, invoice_id, amount, currency)
        select p.entry_id, a.id, p.payer_id, case when a.per_payer then p.invoice_id end, p.amount, 'EGP' from (
          select n * 2 as entry_id, 'receivable' as role, payer_id, n as invoice_id, 2 * half as amount from made
          union all select n * 2, 'tuition', payer_id, n, -2 * half from made
          union all select n * 2 + 1, 'bank', payer_id, n, parts * half from made
          union all select n * 2 + 1, 'receivable', payer_id, n, -parts * half from made) p
        join ledger_accounts a on a.role = p.role order by p.entry_id`,
      sql`insert into transactions (id, payer_id, way, currency, amount, status, booked_on, paid_at, entry_id) overriding system value
        select n, payer_id, (array['bank', 'card', 'mobile'])[1 + n % 3], 'EGP', parts * half, 'paid', on_day + (n % 25)::int, now(), n * 2 + 1 from made`,
      sql`insert into invoice_balances (invoice_id, currency, charged, settled) select n, 'EGP', 2 * half, parts * half from made`,
      sql`insert into payer_balances (payer_id, currency, owed, wallet) select payer_id, 'EGP', sum((2 - parts) * half), case when payer_id % 10 = 0 then 500 else 0 end
        from made group by 1, 2, payer_id % 10`,
    ]
    for (const step of steps) await step.execute(tx)
  })
}
