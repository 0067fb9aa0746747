/** The finance dashboard: one statement over balances, invoices and transactions, as they stand now. */
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { seenStudents } from '../financial/financial.server.ts'
import { MOVED } from '../financial/payments.server.ts'
import { financeCalls, type FinanceDashboard, type DashboardAsked } from './dashboard.contract.ts'
import { AGES, ageOf, dueDays, type Age } from './dashboard.rules.ts'

interface Read extends Omit<FinanceDashboard, 'ages' | 'currency' | 'received' | 'received_count'> {
  readonly found: boolean
  readonly today: string
  readonly late: readonly { days: number; amount: number; invoices: number }[]
  readonly not_due_invoices: number
}
const SUMS =
  sql.raw(`'invoices', coalesce(sum(x.invoices), 0), 'charged', coalesce(sum(x.charged), 0), 'settled', coalesce(sum(x.settled), 0),
  'not_due', coalesce(sum(x.charged - x.settled - x.overdue), 0), 'overdue', coalesce(sum(x.overdue), 0),
  'overdue_invoices', coalesce(sum(x.late), 0)`)

/** Which of the two currencies stand in a table: the first and the last of its index, which reads nothing else. */
const used = (table: string) =>
  sql.raw(
    `(select min(u.currency) from ${table} u where u.currency in ('EGP', 'USD')), (select max(u.currency) from ${table} u where u.currency in ('EGP', 'USD'))`,
  )

/** @throws {Refusal} 404 for a year or term that does not exist */
export async function financeDashboard(ctx: Ctx, asked: DashboardAsked): Promise<FinanceDashboard> {
  const { currency, term_id = null, faculty_id = null } = asked
  const all = reachesAll(ctx, 'access_report_financial')
  const mine = all ? sql`true` : sql`t.payer_id in (select id from mine)`
  // The current year unless a term, another year, or all years are asked for.
  const year =
    asked.year_id === undefined
      ? sql`(select w.year_id from terms w where w.id = coalesce(${term_id}::int, ${currentTermId()}))`
      : sql`${asked.year_id}::int`
  const past = sql`coalesce(t.year_id = (select id from last_year), false)`
  const wanted = sql`t.currency = ${currency} and b.charged > 0 and t.reversed_at is null and ${mine}
    and ${faculty_id === null ? sql`true` : sql`t.faculty_id = ${faculty_id}`} and ${term_id === null ? sql`true` : sql`t.term_id = ${term_id}`}
    and ${asked.year_id === null ? sql`true` : sql`t.year_id = any(array[(select id from chosen), (select id from last_year)])`}`
  const { rows } = await sql<Read>`
    with today as materialized (select university_today() as day),
    chosen as materialized (select y.* from years y where y.id = ${year} and y.removed_at is null),
    term as materialized (select w.* from terms w where w.id = ${term_id}::int and w.removed_at is null),
    last_year as materialized (select y.* from years y, chosen c where ${term_id}::int is null and y.removed_at is null and y.start_date < c.start_date
      order by y.start_date desc limit 1),
    days as materialized (select coalesce((select start_date from term), (select start_date from chosen), (select day - 364 from today)) as first,
      coalesce((select end_date from term), (select end_date from chosen), (select day from today)) as last),
    mine as materialized (select p.id from payers p join students s on s.id = p.student_id where ${seenStudents(ctx)}),
    paying as materialized (select p.id from payers p join students s on s.id = p.student_id
      where ${faculty_id === null ? sql`true` : sql`s.faculty_id = ${faculty_id}`} and ${seenStudents(ctx)}),
    -- Sums of both years in one go, by faculty; of what is open, by faculty and day, the parts that were due until yesterday.
    asked as materialized (
      select t.id, ${past} as past, t.faculty_id, t.plan_id, b.charged, b.settled from invoices t join invoice_balances b on b.invoice_id = t.id where ${wanted}
    ),
    sums as materialized (
      select a.faculty_id, a.past, count(*) as invoices, sum(a.charged) as charged, sum(a.settled) as settled from asked a group by 1, 2
    ),
    parts as materialized (
      select a.*, i.position, i.amount, i.due_date, a.plan_id is null and i.due_date < (select day from today) as due
      from asked a join installments i on i.invoice_id = a.id where a.settled < a.charged
    ),
    open as materialized (
      select o.*, greatest(coalesce(o.due, 0) - o.settled, 0) as overdue from (select n.id, n.past, n.faculty_id, n.charged, n.settled,
        sum(n.amount) filter (where n.due) as due from parts n group by 1, 2, 3, 4, 5) o
    ),
    -- Since when the oldest part of an invoice is late: the first day by which more was due than is settled.
    since as materialized (
      select n.id, min(n.due_date) filter (where n.until > n.settled) as day from (
        select n.id, n.settled, n.due_date, sum(n.amount) over (partition by n.id order by n.position) as until from parts n where not n.past and n.due) n
      group by 1
    ),
    late as materialized (
      select o.past, o.faculty_id, s.day, sum(o.overdue) as overdue, count(*) filter (where o.overdue > 0) as invoices,
        count(*) filter (where o.charged - o.settled > o.overdue) as not_due
      from open o left join since s on s.id = o.id and o.overdue > 0 group by 1, 2, 3
    ),
    x as materialized (
      select s.*, coalesce(l.overdue, 0) as overdue, coalesce(l.invoices, 0) as late from sums s
      left join (select past, faculty_id, sum(overdue) as overdue, sum(invoices) as invoices from late group by 1, 2) l
        on l.past = s.past and l.faculty_id is not distinct from s.faculty_id
    ),
    money as materialized (
      select t.booked_on, t.way, sum(case when t.direction = 'out' then -t.amount else t.amount end) as amount, count(*) as count,
        t.booked_on between (select first from days) and (select last from days) as now
      from transactions t where ${MOVED} and ${all && faculty_id === null ? sql`true` : sql`t.payer_id in (select id from paying)`} and t.currency = ${currency}
        and t.booked_on >= coalesce((select start_date from last_year), (select first from days)) and t.booked_on <= (select last from days)
      group by 1, 2
    ),
    wallets as materialized (select b.wallet from payer_balances b
      where b.currency = ${currency} and b.wallet > 0 and b.payer_id in (select id from paying))
    select (${asked.year_id ?? null}::int is null or exists (select from chosen)) and (${term_id}::int is null or exists (select from term)) as found,
      to_char((select day from today), 'YYYY-MM-DD') as today, (select ${ref('y')} from chosen y) as year, (select ${ref('w')} from term w) as term,
      (select coalesce(json_agg(c.code order by c.id), '[]') from currencies c where c.code in (${used('invoices')}, ${used('transactions')})) as currencies,
      (select json_build_object(${SUMS}) from x where not x.past) as sums,
      (select jsonb_build_object('year', ${ref('y')}, 'received', (select coalesce(sum(m.amount), 0) from money m where m.booked_on between y.start_date and y.end_date))
        || (select jsonb_build_object(${SUMS}) from x where x.past) from last_year y) as before,
      (select coalesce(json_agg(json_build_object('days', g.days, 'amount', g.amount, 'invoices', g.invoices)), '[]') from (
        select (select day from today) - l.day as days, sum(l.overdue) as amount, sum(l.invoices) as invoices from late l where l.invoices > 0 and not l.past group by 1) g) as late,
      (select coalesce(sum(l.not_due), 0)::int from late l where not l.past) as not_due_invoices,
      (select coalesce(json_agg(json_build_object('faculty', ${refOrNull('f')}, 'invoices', x.invoices, 'charged', x.charged, 'settled', x.settled,
          'not_due', x.charged - x.settled - x.overdue, 'overdue', x.overdue, 'overdue_invoices', x.late) order by f.code), '[]')
        from x left join faculties f on f.id = x.faculty_id where not x.past) as faculties,
      (select to_char(first, 'YYYY-MM-DD') from days) as from, (select to_char(last, 'YYYY-MM-DD') from days) as to,
      (select coalesce(json_agg(json_build_object('way', g.way, 'amount', g.amount, 'count', g.count) order by g.amount desc), '[]') from (
        select way, sum(amount) as amount, sum(count) as count from money where now group by 1) g) as ways,
      (select coalesce(json_agg(json_build_object('day', to_char(g.booked_on, 'YYYY-MM-DD'), 'way', g.way, 'amount', g.amount) order by g.booked_on, g.way), '[]') from (
        select booked_on, way, sum(amount) as amount from money where now group by 1, 2) g) as days,
      (select coalesce(sum(wallet), 0)::float8 from wallets) as wallets, (select count(*)::int from wallets) as wallet_count`.execute(
    ctx.db,
  )
  const { found, today, late, not_due_invoices, ...read } = firstRow(rows)
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
