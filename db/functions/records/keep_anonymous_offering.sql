-- Names are closed once and opened once, and who has seen them has seen them. None of it has a name beside a barcode: the audit
-- trail tells it at once.
create or replace function keep_anonymous_offering() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.opened_at is null
    and (old.offering_id, old.started_by, old.started_at) is not distinct from (new.offering_id, new.started_by, new.started_at) then
    return new;
  end if;
  raise exception 'Names of exam papers are closed once and opened once' using errcode = 'insufficient_privilege';
end $$;
