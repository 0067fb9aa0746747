create or replace function outdate_invoices() returns trigger language plpgsql as $$
begin
  insert into outdated_invoices (invoice_id)
    select i.id from invoices i join payers p on p.id = i.payer_id
    where p.student_id = coalesce(new.student_id, old.student_id) and i.term_id = coalesce(new.term_id, old.term_id)
      and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer')
    on conflict do nothing;
  return null;
end $$;
