-- Invoices of a term that new registrations are charged in are looked at again.
create or replace function outdate_invoices_of_new() returns trigger language plpgsql as $$
begin
  insert into outdated_invoices (invoice_id)
    select distinct i.id from new_rows n join payers p on p.student_id = n.student_id join invoices i on i.payer_id = p.id
    where charged_registration(n.status) and i.term_id = n.term_id and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer')
    on conflict do nothing;
  return null;
end $$;
