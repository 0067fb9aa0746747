-- Printed is printed: a printing gets its number here, one after the other, and is never changed. As many as were paid for are originals.
create or replace function keep_certificate_print() returns trigger language plpgsql as $$
declare
  paid integer;
begin
  if tg_op <> 'INSERT' then
    raise exception 'A printing stays as it was' using errcode = 'insufficient_privilege';
  end if;
  update certificates set print_count = print_count + 1 where id = new.certificate_id returning copies into paid;
  select coalesce(max(number), 0) + 1 into new.number from certificate_prints where paper_id = new.paper_id;
  new.original := new.number <= paid;
  return new;
end $$;
