-- Whether a debt does not hold its student yet: where reminders say from which one on it does, and none of those has gone out
-- for a part that is still open.
create or replace function hold_waits(of_invoice integer, of_faculty integer) returns boolean language sql stable as $$
  select exists (select from reminder_steps s where s.holds and s.is_active and s.removed_at is null
      and s.faculty_id is not distinct from (select o.faculty_id from reminder_steps o
        where o.faculty_id = of_faculty and o.is_active and o.removed_at is null limit 1))
    and not exists (select from reminders r join installments n on n.id = r.installment_id and n.due_date = r.due_date
        join invoice_balances b on b.invoice_id = r.invoice_id
      where r.invoice_id = of_invoice and r.holds
        and (select sum(k.amount) from installments k where k.invoice_id = of_invoice and k.position <= n.position) > b.settled)
$$;
