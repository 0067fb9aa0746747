/** What was received and paid back in a time, by what tells it apart; and invoices by faculty and what they are for. */
import { workplaceText } from '#areas/money/ledger/others.server.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  financialCalls,
  type FinancialAsked,
  type InvoicesRow,
  type PaymentRow,
  type PaymentsAsked,
} from './financial.contract.ts'
import { askedInvoices, seenPayers } from './financial.server.ts'

/**
 * Money that came and went is what was paid and not cancelled. What is paid out of a wallet came when the wallet was charged:
 * it is not counted again.
 */
export const MOVED = sql`t.status = 'paid' and t.way not in ('wallet', 'deposit')`

/** SQL: the faculty of the student `s`, or in which `w` works; null of guests, and of who works for the whole university. */
const FACULTY = `coalesce(s.faculty_id, ${workplaceText('w')})`
const GROUPS: Readonly<Record<PaymentsAsked['by'], { key: string; of: string; from?: string; order: string }>> = {
  way: { key: 't.way', of: 'null::int', order: 'x.key' },
  day: { key: `to_char(t.booked_on, 'YYYY-MM-DD')`, of: 'null::int', order: 'x.key' },
  cashier: {
    key: 'h.number',
    of: 'h.cashier_id',
    from: 'left join cash_shifts h on h.id = t.shift_id',
    order: 'x.key nulls last',
  },
  provider: { key: 't.provider', of: 'null::int', order: 'x.key nulls last' },
  bank: { key: 'null::text', of: 't.bank_id', order: 'x.of_id nulls last' },
  faculty: { key: 'null::text', of: FACULTY, order: 'x.of_id nulls last' },
}
/** The record that a group is of. */
const NAMED: Readonly<Partial<Record<PaymentsAsked['by'], RawBuilder<unknown>>>> = {
  cashier: sql`(select json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) from users u where u.id = x.of_id)`,
  bank: sql`(select ${refOrNull('k')} from banks k where k.id = x.of_id)`,
  faculty: sql`(select ${refOrNull('f')} from faculties f where f.id = x.of_id)`,
}

export interface PaymentsReport {
  readonly from: string
  readonly to: string
  readonly rows: PaymentRow[]
  readonly totals: Omit<PaymentRow, 'key' | 'of'>[]
}
/** @throws {Refusal} 422 where the days are in the wrong order */
export async function paymentsReport(ctx: Ctx, asked: PaymentsAsked): Promise<PaymentsReport> {
  const { by, faculty_id = null } = asked
  if (asked.from && asked.to && asked.from > asked.to) throw refuse(422, 'report_days', {}, 'to')
  const group = GROUPS[by]
  const { rows } = await sql<Omit<PaymentsReport, 'rows'> & { rows: PaymentRow[] | null }>`
    with days as (select coalesce(${asked.from ?? null}::date, university_today() - 29) as first, coalesce(${asked.to ?? null}::date, university_today()) as last),
    x as materialized (
      select ${sql.raw(group.key)} as key, ${sql.raw(group.of)} as of_id, t.currency,
        coalesce(sum(t.amount) filter (where t.direction = 'in'), 0)::float8 as received, count(*) filter (where t.direction = 'in') as received_count,
        coalesce(sum(t.amount) filter (where t.direction = 'out'), 0)::float8 as paid_back, count(*) filter (where t.direction = 'out') as paid_back_count
      from transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
        left join users w on w.id = p.user_id ${sql.raw(group.from ?? '')}
      where ${MOVED} and t.booked_on between (select first from days) and (select last from days)
        and (${faculty_id}::int is null or ${sql.raw(FACULTY)} = ${faculty_id}) and ${seenPayers(ctx)}
      group by 1, 2, 3
    )
    select (select to_char(first, 'YYYY-MM-DD') from days) as from, (select to_char(last, 'YYYY-MM-DD') from days) as to,
      (select json_agg(json_build_object('key', x.key, 'of', ${NAMED[by] ?? sql`null::json`}, 'currency', x.currency, 'received', x.received,
        'received_count', x.received_count, 'paid_back', x.paid_back, 'paid_back_count', x.paid_back_count, 'net', x.received - x.paid_back)
        order by x.currency, ${sql.raw(group.order)}) from x) as rows,
      coalesce((select json_agg(json_build_object('currency', y.currency, 'received', y.received, 'received_count', y.received_count,
        'paid_back', y.paid_back, 'paid_back_count', y.paid_back_count, 'net', y.received - y.paid_back) order by y.currency)
        from (select currency, sum(received) as received, sum(received_count) as received_count, sum(paid_back) as paid_back,
          sum(paid_back_count) as paid_back_count from x group by 1) y), '[]') as totals`.execute(ctx.db)
  const found = firstRow(rows)
  return { ...found, rows: found.rows ?? [] }
}

export interface InvoicesReport {
  readonly rows: InvoicesRow[]
  readonly totals: Omit<InvoicesRow, 'faculty' | 'type'>[]
}
export async function invoicesReport(ctx: Ctx, asked: FinancialAsked): Promise<InvoicesReport> {
  const { rows } = await sql<InvoicesReport>`
    with x as materialized (
      select t.faculty_id, t.type, t.currency, count(*) as invoices, sum(b.charged)::float8 as charged, sum(b.settled)::float8 as settled
      from invoice_balances b join invoices t on t.id = b.invoice_id join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
      where t.reversed_at is null and ${askedInvoices(asked)} and ${seenPayers(ctx)} group by 1, 2, 3
    )
    select coalesce((select json_agg(json_build_object('faculty', ${refOrNull('f')}, 'type', x.type, 'currency', x.currency, 'invoices', x.invoices,
        'charged', x.charged, 'settled', x.settled, 'open', x.charged - x.settled) order by x.currency, f.code, x.type)
        from x left join faculties f on f.id = x.faculty_id), '[]') as rows,
      coalesce((select json_agg(json_build_object('currency', y.currency, 'invoices', y.invoices, 'charged', y.charged, 'settled', y.settled,
        'open', y.charged - y.settled) order by y.currency) from (select currency, sum(invoices) as invoices, sum(charged) as charged,
          sum(settled) as settled from x group by 1) y), '[]') as totals`.execute(ctx.db)
  return firstRow(rows)
}

export const paymentsHandlers: readonly Handled[] = [
  handle(financialCalls.payments, async (ctx, { body }) => ({ data: await paymentsReport(ctx, body) })),
  handle(financialCalls.invoices, async (ctx, { body }) => ({ data: await invoicesReport(ctx, body) })),
]
