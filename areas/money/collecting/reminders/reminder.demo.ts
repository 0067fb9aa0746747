import { demoPart } from '#demo/part.ts'
import { sql } from 'kysely'

/**
 * What was told of parts that are late, or were when they were paid: each step on its day, as the mornings since would have told it.
 * What is a week ahead was told as well.
 */
export default demoPart(['reminders'], ['reminder_steps', 'invoices', 'transactions', 'debts'], async (tx) => {
  await sql`
    insert into reminders (invoice_id, installment_id, due_date, amount, step_id, moment, days, level, in_app, by_mail, sent_on, created_at)
    select x.invoice_id, x.id, x.due_date, x.amount, k.id, k.moment, k.days, k.level, x.user_id is not null,
      case when x.email is null then 'none' when x.id % 5 = 0 then 'digest' else 'now' end, k.sent_on,
      (k.sent_on + time '07:20') at time zone university_zone()
    from (
      select n.id, n.invoice_id, n.due_date, i.faculty_id, u.id as user_id, u.email, i.issued_on, least(n.amount, greatest(n.until - b.settled, case when b.settled >= n.until then n.amount else 0 end)) as amount,
        -- The day on which it was paid, where it is.
        case when b.settled >= n.until then (select max(t.booked_on) from transaction_allocations a join transactions t on t.id = a.transaction_id
          where a.invoice_id = i.id and t.status = 'paid') end as paid_on, b.settled >= n.until as paid
      from invoices i join invoice_balances b on b.invoice_id = i.id join payers p on p.id = i.payer_id join students s on s.id = p.student_id
        left join users u on u.id = s.user_id
        cross join lateral (select n.*, sum(n.amount) over (order by n.position) as until from installments n where n.invoice_id = i.id) n
      where i.reversed_at is null and n.amount > 0) x
      cross join lateral (
        select k.id, k.moment, k.days, case when k.moment = 'after' then rank() over (partition by k.moment order by k.days) end as level,
          x.due_date + case when k.moment = 'before' then -k.days else k.days end as sent_on
        from reminder_steps k
        where k.faculty_id is not distinct from (select o.faculty_id from reminder_steps o where o.faculty_id = x.faculty_id limit 1)) k
    where k.sent_on < university_today() and k.sent_on >= x.issued_on and k.sent_on > university_today() - 90 and x.amount > 0
      and (not x.paid or x.paid_on > k.sent_on)
    order by k.sent_on, x.id on conflict do nothing`.execute(tx)
})
