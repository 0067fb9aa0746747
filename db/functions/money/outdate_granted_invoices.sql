create or replace function outdate_granted_invoices() returns trigger language plpgsql as $$
begin
  insert into outdated_invoices (invoice_id)
    select i.id from invoices i join payers p on p.id = i.payer_id join years y on y.id = i.year_id
    where p.student_id = new.student_id and new.during @> y.start_date and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer')
    on conflict do nothing;
  return null;
end $$;
