-- What of an invoice is due until a day and not settled: null where nothing is. Nothing is while a plan to pay it runs.
create or replace function invoice_overdue(of_invoice integer, on_day date) returns table (amount bigint, since date) language sql stable as $$
  select x.due - b.settled, (select min(y.due_date) from (select n.due_date, sum(n.amount) over (order by n.position) as until from installments n
      where n.invoice_id = of_invoice) y where y.until > b.settled)
  from invoice_balances b join invoices i on i.id = b.invoice_id and i.reversed_at is null and i.plan_id is null
    cross join lateral (select coalesce(sum(n.amount), 0)::bigint as due from installments n where n.invoice_id = b.invoice_id and n.due_date < on_day) x
  where b.invoice_id = of_invoice and x.due > b.settled
$$;
