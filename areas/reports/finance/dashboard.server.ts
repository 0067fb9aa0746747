/** The finance dashboard: one statement over balances, invoices and transactions, as they stand now. */
import { currentTermId } from '#areas/academics/current-term.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/context.ts'
import { refuse } from '#kit/server/errors.ts'
import { reachesAll } from '#kit/server/scope.ts'
import { ref, refOrNull } from '#kit/server/sql.ts'
import { sql } from 'kysely'
import { seenStudents } from '../financial/financial.server.ts'
import { MOVED } from '../financial/payments.server.ts'
import { financeCalls, type Dashboard, type DashboardAsked } from './dashboard.contract.ts'
import { AGES, ageOf, dueDays, type Age } from './dashboard.rules.ts'

interface Read extends Omit<Dashboard, 'ages' | 'currency' | 'received' | 'received_count'> {
  readonly found: boolean
  readonly today: string
  readonly late: readonly { days: number; amount: number; invoices: number }[]
  readonly not_due_invoices: number
}
const SUMS =
  sql.raw(`'invoices', count(*), 'charged', coalesce(sum(x.charged), 0), 'settled', coalesce(sum(x.settled), 0),
  'not_due', coalesce(sum(x.charged - x.settled - x.overdue), 0), 'overdue', coalesce(sum(x.overdue), 0),
  'overdue_invoices', count(*) filter (where x.overdue > 0)`)

/** @throws {Refusal} 404 for a year or term that does not exist */
export async function financeDashboard(ctx: Ctx, asked: DashboardAsked): Promise<Dashboard> {
  const { currency, term_id = null, faculty_id = null } = asked
  const all = reachesAll(ctx, 'access_report_financial')
  const mine = all ? sql`true` : sql`t.payer_id in (select id from mine)`
  // The current year unless a term, another year, or all years are asked for.
  const year =
    asked.year_id === undefined
      ? sql`(select w.year_id from terms w where w.id = coalesce(${term_id}::int, ${currentTermId()}))`
      : sql`${asked.year_id}::int`
  const { rows } = await sql<Read>`
    with today as materialized (select university_today() as day),
    chosen as materialized (select y.* from years y where y.id = ${year} and y.removed_at is null),
    term as materialized (select w.* from terms w where w.id = ${term_id}::int and w.removed_at is null),
    last_year as materialized (select y.* from years y, chosen c where ${term_id}::int is null and y.removed_at is null and y.start_date < c.start_date
      order by y.start_date desc limit 1),
    days as materialized (select coalesce((select start_date from term), (select start_date from chosen), (select day - 364 from today)) as first,
      coalesce((select end_date from term), (select end_date from chosen), (select day from today)) as last),
    mine as materialized (select p.id from payers p join students s on s.id = p.student_id where ${seenStudents(ctx)}),
    asked_invoices as materialized (
      select t.id, t.faculty_id, t.year_id, b.charged, b.settled
      from invoices t join invoice_balances b on b.invoice_id = t.id
      where t.currency = ${currency} and b.charged > 0 and t.reversed_at is null and ${mine}
        and (${faculty_id}::int is null or t.faculty_id = ${faculty_id})
        and (${asked.year_id === null}::boolean or t.year_id in (select id from chosen union all select id from last_year))
        and (${term_id}::int is null or t.term_id = ${term_id})
    ),
    -- Of what is open: what was due until yesterday and is not settled, and since when its oldest part is. Nothing is read of what is paid.
    every as (
      select t.id, t.faculty_id, t.year_id, t.charged, t.settled, 0 as overdue, null::date as since from asked_invoices t where t.settled >= t.charged
      union all
      select n.id, n.faculty_id, n.year_id, n.charged, n.settled,
        coalesce(greatest(sum(n.amount) filter (where n.due_date < (select day from today)) - n.settled, 0), 0), min(n.due_date) filter (where n.until > n.settled)
      from (select t.*, i.amount, i.due_date, sum(i.amount) over (partition by t.id order by i.position) as until
        from asked_invoices t join installments i on i.invoice_id = t.id where t.settled < t.charged) n
      group by n.id, n.faculty_id, n.year_id, n.charged, n.settled
    ),
    x as materialized (select t.*, (select id from last_year) is not null and t.year_id is not distinct from (select id from last_year) as past from every t),
    money as materialized (
      select t.booked_on, t.way, sum(case when t.direction = 'out' then -t.amount else t.amount end) as amount, count(*) as count,
        t.booked_on between (select first from days) and (select last from days) as now
      from transactions t ${faculty_id === null ? sql`` : sql`join payers fp on fp.id = t.payer_id join students fs on fs.id = fp.student_id and fs.faculty_id = ${faculty_id}`}
      where ${MOVED} and ${mine} and t.currency = ${currency}
        and t.booked_on >= coalesce((select start_date from last_year), (select first from days)) and t.booked_on <= (select last from days)
      group by 1, 2
    ),
    wallets as materialized (select b.wallet from payer_balances b join payers p on p.id = b.payer_id join students s on s.id = p.student_id
      where b.currency = ${currency} and b.wallet > 0 and (${faculty_id}::int is null or s.faculty_id = ${faculty_id}) and ${seenStudents(ctx)})
    select (${asked.year_id ?? null}::int is null or exists (select from chosen)) and (${term_id}::int is null or exists (select from term)) as found,
      to_char((select day from today), 'YYYY-MM-DD') as today, (select ${ref('y')} from chosen y) as year, (select ${ref('w')} from term w) as term,
      (select coalesce(json_agg(c.code order by c.id), '[]') from currencies c where c.code in ('EGP', 'USD') and (exists (select from invoices i where i.currency = c.code)
        or exists (select from transactions i where i.currency = c.code))) as currencies,
      (select json_build_object(${SUMS}) from x where not x.past) as sums,
      (select json_build_object('year', ${ref('y')}, 'received', (select coalesce(sum(m.amount), 0) from money m where m.booked_on between y.start_date and y.end_date),
        'invoices', v.invoices, 'charged', v.charged, 'settled', v.settled, 'not_due', v.charged - v.settled - v.overdue, 'overdue', v.overdue, 'overdue_invoices', v.late)
        from last_year y, (select count(*) as invoices, coalesce(sum(charged), 0) as charged, coalesce(sum(settled), 0) as settled,
          coalesce(sum(overdue), 0) as overdue, count(*) filter (where overdue > 0) as late from x where x.past) v) as before,
      (select coalesce(json_agg(json_build_object('days', g.days, 'amount', g.amount, 'invoices', g.invoices)), '[]') from (
        select (select day from today) - x.since as days, sum(x.overdue) as amount, count(*) as invoices from x where x.overdue > 0 and not x.past group by 1) g) as late,
      (select count(*)::int from x where not x.past and x.charged - x.settled - x.overdue > 0) as not_due_invoices,
      (select coalesce(json_agg(json_build_object('faculty', ${refOrNull('f')}, 'invoices', g.invoices, 'charged', g.charged, 'settled', g.settled,
          'not_due', g.charged - g.settled - g.overdue, 'overdue', g.overdue, 'overdue_invoices', g.late) order by f.code), '[]')
        from (select x.faculty_id, count(*) as invoices, sum(x.charged) as charged, sum(x.settled) as settled, sum(x.overdue) as overdue,
          count(*) filter (where x.overdue > 0) as late from x where not x.past group by 1) g left join faculties f on f.id = g.faculty_id) as faculties,
      (select to_char(first, 'YYYY-MM-DD') from days) as from, (select to_char(last, 'YYYY-MM-DD') from days) as to,
      (select coalesce(json_agg(json_build_object('way', g.way, 'amount', g.amount, 'count', g.count) order by g.amount desc), '[]') from (
        select way, sum(amount) as amount, sum(count) as count from money where now group by 1) g) as ways,
      (select coalesce(json_agg(json_build_object('day', to_char(g.booked_on, 'YYYY-MM-DD'), 'way', g.way, 'amount', g.amount) order by g.booked_on, g.way), '[]') from (
        select booked_on, way, sum(amount) as amount from money where now group by 1, 2) g) as days,
      (select coalesce(sum(wallet), 0)::float8 from wallets) as wallets, (select count(*)::int from wallets) as wallet_count`.execute(
    ctx.db,
  )
  const { found, today, late, not_due_invoices, ...read } = rows[0]!
  if (!found) throw refuse(404, 'not_found')
  const of = (age: Age) => late.filter((one) => ageOf(one.days) === age)
  const sum = <T>(list: readonly T[], by: (one: T) => number) => list.reduce((total, one) => total + by(one), 0)
  return {
    ...read,
    currency,
    received: sum(read.ways, (one) => one.amount),
    received_count: sum(read.ways, (one) => one.count),
    ages: AGES.map(({ age }) => ({
      age,
      ...dueDays(age, today),
      amount: age === 'not_due' ? read.sums.not_due : sum(of(age), (one) => one.amount),
      invoices: age === 'not_due' ? not_due_invoices : sum(of(age), (one) => one.invoices),
    })),
  }
}

export const financeHandlers: readonly Handled[] = [
  handle(financeCalls.dashboard, async (ctx, { body }) => ({ data: await financeDashboard(ctx, body) })),
]
