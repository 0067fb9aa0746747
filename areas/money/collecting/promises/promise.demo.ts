import { demoPart, usersByEmail } from '#demo/part.ts'
import { sql } from 'kysely'

/** Promises of students who are late: some stand, one was broken, one was noted by mistake. */
export default demoPart(['payment_promises'], ['invoices', 'transactions', 'debts', 'users'], async (tx, demo) => {
  const by = (await usersByEmail(tx)).get(`cashier@${demo.university.domain}`) ?? null
  await sql`
    insert into payment_promises (payer_id, invoice_id, currency, amount, promised_on, note, state, settled_before, noted_by, created_at, ended_at, ended_reason, ended_by)
    select i.payer_id, i.id, i.currency, b.charged - b.settled, university_today() + k.days, k.note, k.state, b.settled, ${by}::int,
      now() - k.ago * interval '1 day', case when k.state <> 'standing' then now() - interval '1 day' end, k.ended,
      case when k.state = 'withdrawn' then ${by}::int end
    from (values (1, 5, 'Called: pays after the transfer of the parents arrived.', 'standing', 2, null),
        (2, 12, 'Salary at the end of the month.', 'standing', 1, null),
        (3, -2, 'At the desk: comes back with the card.', 'broken', 9, null),
        (4, 9, null, 'withdrawn', 3, 'Noted for another student.')) k (n, days, note, state, ago, ended)
      join (select i.*, row_number() over (order by i.id) as n from invoices i join invoice_balances b on b.invoice_id = i.id
        where b.settled < b.charged and i.reversed_at is null and exists (select from installments m where m.invoice_id = i.id
          and m.due_date < university_today())) i on i.n = k.n
      join invoice_balances b on b.invoice_id = i.id`.execute(tx)
})
