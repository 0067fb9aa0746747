/** The account of a student: what is owed and why, what was charged and paid, and the wallet. */
import { settledOf } from '#areas/money/invoices/invoice.rules.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { studentReached } from '../hold.server.ts'
import { PAYERS, WALLET } from '../moves/move.server.ts'
import { shownWallet, type WalletRead } from '../moves/wallet.rules.ts'
import {
  LATEST,
  accountCalls,
  type AccountMove,
  type AwaitedRefund,
  type IssuedInvoice,
  type OpenInvoice,
  type OutletNumber,
  type StudentAccount,
} from './account.contract.ts'

const INVOICE = sql`t.id, t.number, t.type, ${refOrNull('y')} as year, ${refOrNull('w')} as term, t.currency,
  coalesce(b.charged, 0) as charged, t.issued_on,
  case when t.reversed_at is not null then 'reversed' when coalesce(b.settled, 0) >= coalesce(b.charged, 0) then 'paid'
    when b.settled > 0 then 'partially_paid' else 'unpaid' end as state, t.plan_id is not null as in_plan`
/** `offset 0`: each is looked up for the few invoices of a person, never by reading all there are. */
const FROM = sql`invoices t left join lateral (select charged, settled from invoice_balances b where b.invoice_id = t.id offset 0) b on true
  left join lateral (select * from years y where y.id = t.year_id offset 0) y on true
  left join lateral (select * from terms w where w.id = t.term_id offset 0) w on true`
const IS_OPEN = sql`t.reversed_at is null and b.settled < b.charged`

type Part = Omit<OpenInvoice['installments'][number], 'settled' | 'overdue'> & { readonly late: boolean }
/** SQL: a slip that was handed in for all of the invoice `t`, or for its part `n`. */
const SLIP = sql`(select u.number from payment_slips u where u.invoice_id = t.id and u.status = 'uploaded' and n.position::int <@ u.parts limit 1)`
type Found = WalletRead & {
  /** What is open first, then the latest. Lines and parts stand with what is open. */
  invoices: (Omit<OpenInvoice, 'installments' | 'lines'> & {
    lines: OpenInvoice['lines'] | null
    installments: Part[] | null
  })[]
  transactions: AccountMove[]
  refunds: AwaitedRefund[]
  numbers: OutletNumber[]
}

/** All of it in one statement. Reading it is for who reaches the student's transactions. */
async function accountOf(ctx: Ctx, student: number): Promise<StudentAccount> {
  const { rows } = await sql<Found>`
    select ${WALLET},
      (select coalesce(json_agg(x), '[]') from (select ${INVOICE}, coalesce(b.settled, 0) as settled, coalesce(b.charged - b.settled, 0) as open,
          case when ${IS_OPEN} then (select json_agg(json_build_object('id', l.id, 'name', l.name, 'name_local', l.name_local, 'amount', l.amount, 'words', l.rule -> 'words')
            order by l.note_id nulls first, l.position) from invoice_lines l where l.invoice_id = t.id) end as lines,
          case when ${IS_OPEN} then (select json_agg(json_build_object('id', n.id, 'amount', n.amount, 'due_date', n.due_date, 'late', t.plan_id is null and n.due_date < (select university_today()), 'slip', ${SLIP})
            order by n.position) from installments n where n.invoice_id = t.id) end as installments
        from ${FROM} where t.payer_id = any(q.ids) order by (${IS_OPEN}) desc, t.issued_on desc, t.id desc limit ${LATEST}) x) as invoices,
      (select coalesce(json_agg(x), '[]') from (select t.id, t.number, t.receipt, t.direction, t.way, t.purpose, t.currency,
          case when t.direction = 'out' then -t.amount else t.amount end as amount, t.status, t.booked_on, t.created_at
        from (select * from transactions t where t.payer_id = any(q.ids) offset 0) t order by t.id desc limit ${LATEST}) x) as transactions,
      (select coalesce(json_agg(x), '[]') from (select t.id, t.number, t.currency, t.amount, t.way, t.status from refund_requests t
        where t.payer_id = any(q.ids) and t.status in ('asked', 'approved') order by t.id) x) as refunds,
      (select coalesce(json_agg(x), '[]') from (select t.id, c.number, t.provider, t.currency, t.amount, t.invoice_id,
          coalesce(c.expires_at, t.expires_at) as expires_at, b.settled >= b.charged as paid
        from transactions t join invoice_balances b on b.invoice_id = t.invoice_id
          join lateral (select c.number, c.expires_at from provider_charges c where c.transaction_id = t.id and c.answered_at is not null
            order by c.id desc limit 1) c on c.number is not null
        where t.payer_id = any(q.ids) and t.way = 'mobile' and t.direction = 'in' and t.status in ('new', 'pending')
          and coalesce(c.expires_at, t.expires_at) > now() order by t.id) x) as numbers
    from students s ${PAYERS} where s.id = ${student} and ${studentReached(ctx, 'access_transaction')}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { invoices, transactions, refunds, numbers, ...wallet } = rows[0]
  const due = (one: OpenInvoice) =>
    one.installments.find((part) => part.settled < part.amount)?.due_date ?? one.issued_on
  return {
    open: invoices
      .flatMap(({ lines, installments: parts, ...one }) => {
        if (!lines || !parts) return []
        const settled = settledOf(parts, one.settled)
        const installments = parts.map(({ late, ...part }, i) => ({
          ...part,
          settled: settled[i]!,
          overdue: late && settled[i]! < part.amount,
        }))
        return [{ ...one, lines, installments }]
      })
      .toSorted((a, b) => (due(a) < due(b) ? -1 : due(a) > due(b) ? 1 : a.id - b.id)),
    issued: invoices.map(
      ({ lines: _lines, installments: _parts, settled: _settled, open: _open, ...one }): IssuedInvoice => one,
    ),
    transactions,
    refunds,
    numbers,
    wallet: shownWallet(wallet),
  }
}

export const studentAccountHandlers: readonly Handled[] = [
  handle(accountCalls.account, async (ctx, { params }) => ({ data: await accountOf(ctx, params.id) })),
]

/** So many days before it is due a student is told. */
const AHEAD = 14

/**
 * What the student reading owes by now, and what is due soon: a sentence of each currency, with the way to pay. Not that for
 * which a bank slip was handed in and is being checked.
 */
export const accountWork: readonly WorkSource[] = [
  {
    permissions: ['pay_online'],
    waiting: (ctx) => sql`
      select case when x.late then 'transactions.work_overdue' else 'transactions.work_due' end,
        jsonb_build_object('amount', to_char(sum(x.open) / 100, 'FM9999999999990.00') || ' ' || x.currency), '/student-payments',
        case when x.late then min(x.due_date)::timestamp at time zone university_zone() end,
        case when not x.late then (min(x.due_date) + time '23:59') at time zone university_zone() end
      from (
        select i.currency, n.due_date, i.plan_id is null and n.due_date < university_today() as late, least(n.amount, n.until - b.settled) as open
        from payers p join invoices i on i.payer_id = p.id and i.reversed_at is null
          join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
          cross join lateral (select n.amount, n.due_date, n.position, sum(n.amount) over (order by n.position) as until
            from installments n where n.invoice_id = i.id) n
        where p.student_id = ${ctx.actor?.student_id ?? null} and n.until > b.settled and n.due_date <= university_today() + ${AHEAD}::int
          and not exists (select from payment_slips u where u.invoice_id = i.id and u.status = 'uploaded' and n.position::int <@ u.parts)) x
      group by x.currency, x.late`,
  },
]
