/** What decides on reminders of parts of invoices: read for whoever sends them, and for the preview. */
import type { Db, Tx } from '#db/connect.ts'
import { sql, type RawBuilder } from 'kysely'
import type { RemindedPart } from './reminder.rules.ts'

/** A part that is open, with everything that decides. */
export interface OpenPart extends RemindedPart {
  readonly installment_id: number
  readonly invoice_id: number
  readonly number: string
  readonly currency: string
  readonly faculty_id: number | null
  readonly payer_id: number
  readonly student_id: number
  readonly user_id: number | null
  /** The invoice is what a reminder cost: no further one costs something because of it. */
  readonly is_fee: boolean
}

/** SQL: money that is under way for the part `n` of the invoice `i`; null: none is. */
export const UNDER_WAY = sql`(case
  when exists (select from payment_slips u where u.invoice_id = i.id and u.status = 'uploaded' and n.position::int <@ u.parts) then 'slip'
  when exists (select from transactions x where x.invoice_id = i.id and x.direction = 'in' and x.provider is not null and x.status in ('new', 'pending')
    and (x.installment_id is null or x.installment_id = n.id)
    and coalesce(x.expires_at, x.created_at + interval '2 days') > now() - interval '1 day') then 'payment' end)`
/** SQL: what keeps the part from being told of; the payer of the invoice is `p`. */
const WAITS = sql`coalesce(case when i.plan_id is not null then 'plan' end, ${UNDER_WAY}, case when exists (select from payment_promises w join payers wp on wp.id = w.payer_id
  where w.state = 'standing' and (wp.id = p.id or wp.student_id = p.student_id)
    and (w.invoice_id = i.id or (w.invoice_id is null and w.currency = i.currency))) then 'promise' end)`

/**
 * Parts of which something is open, by payer. Who sends holds the payers before: what was paid meanwhile is seen.
 *
 * @param of which: conditions on the invoice `i`, the student `s`
 * @param from only parts due until then are looked at
 */
export async function openParts(db: Db | Tx, of: RawBuilder<unknown>, until: string): Promise<OpenPart[]> {
  const { rows } = await sql<OpenPart>`
    select n.id as installment_id, i.id as invoice_id, i.number, i.currency, i.faculty_id, i.payer_id, s.id as student_id, s.user_id,
      n.due_date::text as due_date, least(n.amount, n.until - b.settled)::float8 as open, ${WAITS} as waits,
      coalesce((select json_agg(json_build_object('moment', r.moment, 'days', r.days, 'sent_on', r.sent_on) order by r.id) from reminders r
        where r.installment_id = n.id and r.due_date = n.due_date), '[]') as sent,
      exists (select from request_fees f where f.invoice_id = i.id and f.workflow = 'reminder') as is_fee
    from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
      join payers p on p.id = i.payer_id join students s on s.id = p.student_id
      cross join lateral (select n.id, n.position, n.amount, n.due_date, sum(n.amount) over (order by n.position) as until
        from installments n where n.invoice_id = i.id) n
    where i.reversed_at is null and n.until > b.settled and n.due_date <= ${until}::date and (${of})
    order by i.payer_id, n.due_date, n.id`.execute(db)
  return rows
}
