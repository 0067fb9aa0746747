/** What is owed by how late it is: by faculty, program or level, in one statement. */
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { AGES, ageOf, dueDays } from '../finance/dashboard.rules.ts'
import { financialCalls, type AgingAsked, type AgingReport, type AgingRow } from './financial.contract.ts'
import { askedInvoices, seenPayers } from './financial.server.ts'

interface Group extends Pick<AgingRow, 'of' | 'level' | 'currency' | 'students'> {
  /** null: of all of them. */
  readonly place: number | null
  /** By days late of the oldest part; null: nothing is late. */
  readonly late: readonly {
    days: number | null
    overdue: number
    not_due: number
    invoices: number
    not_due_invoices: number
  }[]
}
const KEY = {
  faculty: sql`o.faculty_id`,
  program: sql`o.program_id`,
  level: sql`o.level::int`,
} as const

/** As invoices are listed: an invoice is as late as its oldest part, and in part it may not be due yet; under a plan to pay it is not late. */
export async function agingReport(ctx: Ctx, asked: AgingAsked): Promise<AgingReport> {
  const { by } = asked
  const { rows } = await sql<{ today: string; groups: Group[] }>`
    with today as materialized (select university_today() as day),
    open as materialized (
      select t.id, t.faculty_id, t.program_id, t.level, t.currency, coalesce(p.student_id, -p.id) as student_id, b.charged - b.settled as open,
        greatest(0, coalesce(n.due, 0) - b.settled) as overdue, case when coalesce(n.due, 0) > b.settled then (select day from today) - n.since end as days
      from invoice_balances b join invoices t on t.id = b.invoice_id join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
        cross join lateral (select sum(x.amount) filter (where t.plan_id is null and x.due_date < (select day from today)) as due,
          min(x.due_date) filter (where x.until > b.settled) as since
          from (select k.amount, k.due_date, sum(k.amount) over (order by k.position) as until from installments k where k.invoice_id = t.id) x) n
      where b.settled < b.charged and t.reversed_at is null and t.currency in ('EGP', 'USD') and ${askedInvoices({ ...asked, as_of: null })} and ${seenPayers(ctx)}
    ),
    keyed as materialized (select o.*, ${KEY[by]} as key from open o),
    late as materialized (
      select k.currency, k.key, k.days, sum(k.overdue)::float8 as overdue, sum(k.open - k.overdue)::float8 as not_due,
        count(*) filter (where k.overdue > 0) as invoices, count(*) filter (where k.open > k.overdue) as not_due_invoices
      from keyed k group by 1, 2, 3
    ),
    people as materialized (
      select currency, key, grouping(key) as whole, count(distinct student_id)::int as students from keyed group by grouping sets ((currency, key), (currency))
    )
    select (select day::text from today) as today, coalesce((select json_agg(json_build_object('of', ${by === 'level' ? sql`null` : refOrNull('f')},
        'level', ${by === 'level' ? sql`p.key` : sql`null`}, 'currency', p.currency, 'students', p.students, 'place', case when p.whole = 0 then 1 end,
        'late', (select json_agg(json_build_object('days', l.days, 'overdue', l.overdue, 'not_due', l.not_due, 'invoices', l.invoices,
          'not_due_invoices', l.not_due_invoices)) from late l where l.currency = p.currency and (p.whole = 1 or l.key is not distinct from p.key)))
      order by p.currency, p.whole desc, ${by === 'level' ? sql`p.key` : sql`f.code`})
      from people p ${by === 'level' ? sql`` : sql`left join ${sql.table(by === 'faculty' ? 'faculties' : 'programs')} f on f.id = p.key and p.whole = 0`}), '[]') as groups`.execute(
    ctx.db,
  )
  const { today, groups } = firstRow(rows)
  const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0)
  const figures = ({ currency, students, late }: Group) => {
    const overdue = sum(late, (one) => one.overdue)
    const not_due = sum(late, (one) => one.not_due)
    return {
      currency,
      students,
      overdue,
      open: overdue + not_due,
      ages: AGES.map(({ age }) => {
        const those = late.filter((one) => one.days !== null && ageOf(one.days) === age)
        return age === 'not_due'
          ? { age, amount: not_due, invoices: sum(late, (one) => one.not_due_invoices) }
          : { age, amount: sum(those, (one) => one.overdue), invoices: sum(those, (one) => one.invoices) }
      }),
    }
  }
  return {
    days: AGES.map(({ age }) => ({ age, ...dueDays(age, today) })),
    rows: groups.filter((one) => one.place !== null).map((one) => ({ of: one.of, level: one.level, ...figures(one) })),
    totals: groups.filter((one) => one.place === null).map(figures),
  }
}

export const agingHandlers: readonly Handled[] = [
  handle(financialCalls.aging, async (ctx, { body }) => ({ data: await agingReport(ctx, body) })),
]
