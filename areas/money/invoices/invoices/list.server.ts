import { PAYER_SEARCH, otherPayer, payerJoins, reachedPayer } from '#areas/money/ledger/reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { invoiceFields, type InvoiceRow } from './invoice.contract.ts'

/** Where an invoice stands, as `invoiceState` says it: SQL over `t` and its balance `b`. */
const STATE = `case when t.reversed_at is not null then 'reversed' when coalesce(b.settled, 0) >= coalesce(b.charged, 0) then 'paid'
  when b.settled > 0 then 'partially_paid' else 'unpaid' end`
const OPEN = 'coalesce(b.charged - b.settled, 0)'
/** By when what is not settled is due next. */
const NEXT_DUE = `(select min(n.due_date) from (select n.due_date, sum(n.amount) over (order by n.position) as until from installments n
  where n.invoice_id = t.id) n where n.until > b.settled)`
const OVERDUE = `coalesce(t.plan_id is null and b.settled < b.charged and ${NEXT_DUE} < university_today(), false)`
/** What of it is late, and what is open and is not. */
const LATE = `case when t.plan_id is null and b.settled < b.charged then greatest(0, (select coalesce(sum(n.amount), 0) from installments n
  where n.invoice_id = t.id and n.due_date < university_today()) - b.settled) else 0 end`
const NOT_DUE = `(${OPEN} - (${LATE}))`
export const FROM = sql`invoices t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
  ${payerJoins()} left join invoice_balances b on b.invoice_id = t.id left join faculties f on f.id = t.faculty_id
  left join years y on y.id = t.year_id left join terms w on w.id = t.term_id`
export const SELECT = sql`t.id, t.version, t.number, ${refOrNull('s')} as student, ${otherPayer()} as payer, ${refOrNull('f')} as faculty, ${refOrNull('y')} as year,
  ${refOrNull('w')} as term, t.type, t.currency, coalesce(b.charged, 0)::float8 as charged, coalesce(b.settled, 0)::float8 as settled,
  (${sql.raw(OPEN)})::float8 as open, ${sql.raw(STATE)} as state, to_char(t.issued_on, 'YYYY-MM-DD') as issued_on,
  to_char(${sql.raw(NEXT_DUE)}, 'YYYY-MM-DD') as due_date, ${sql.raw(OVERDUE)} as overdue,
  (${sql.raw(NOT_DUE)})::float8 as not_due, (${sql.raw(LATE)})::float8 as overdue_amount, t.plan_id is not null as in_plan`
const COLUMNS = {
  number: 't.number',
  student_id: 's.id',
  faculty_id: 't.faculty_id',
  program_id: 't.program_id',
  level: 't.level::int',
  year_id: 't.year_id',
  term_id: 't.term_id',
  type: 't.type',
  state: `(${STATE})`,
  currency: 't.currency',
  charged: 'coalesce(b.charged, 0)',
  settled: 'coalesce(b.settled, 0)',
  open: OPEN,
  issued_on: 't.issued_on',
  due_date: NEXT_DUE,
  overdue: OVERDUE,
  not_due: NOT_DUE,
  overdue_amount: `(${LATE})`,
}
const filters = Object.fromEntries(
  columnsOf(invoiceFields, COLUMNS).map((column) => [
    column.name,
    (value: unknown) => serverField(column.field).filter(column, value),
  ]),
)
/** Invoices of payers that somebody reaches. */
export const invoicesOf = (ctx: Ctx, key: PermissionKey): RawBuilder<unknown> => reachedPayer(ctx, key)
const source = (ctx: Ctx, key: PermissionKey): ListSource => ({
  from: FROM,
  select: SELECT,
  where: [invoicesOf(ctx, key)],
  search: ['t.search_text', ...PAYER_SEARCH],
  sort: { ...COLUMNS, student_id: 's.name', faculty_id: 'f.name', year_id: 'y.code', term_id: 'w.code' },
  order: ['issued_on', 'desc'],
  filters,
})
/** A page of invoices as far as a right reaches. */
export const listInvoices = (ctx: Ctx, query: ListQuery, key: PermissionKey, ids: readonly number[] = []) => {
  const of = source(ctx, key)
  return pagedList<InvoiceRow>(
    ctx,
    ids.length ? { ...of, where: [...of.where, sql`t.id = any(${[...ids]}::int[])`] } : of,
    query,
  )
}
