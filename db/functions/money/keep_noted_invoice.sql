-- A reversed invoice charges nothing any more, so nothing more is added to it or taken off it. Whoever reverses it at this moment is waited for.
create or replace function keep_noted_invoice() returns trigger language plpgsql as $$
declare
  reversed timestamptz;
begin
  select reversed_at into reversed from invoices where id = new.invoice_id for share;
  if reversed is not null then
    raise exception 'Invoice % is reversed', new.invoice_id using errcode = 'check_violation', constraint = 'invoice_is_reversed';
  end if;
  return new;
end $$;
