-- What a registration became and what it was before are looked at when everything is written.
create or replace function registration_with_its_case() returns trigger language plpgsql as $$
declare
  became bigint;
begin
  select decided_state(status) into became from registrations where id = new.id;
  if not found then
    return null;
  end if;
  if became <> 0 and not registration_case_stands(new.id, became) and not (became = 536870912 and absent_by_mark(new.id)) then
    perform refuse_without_case(new.id);
  end if;
  if decided_state(old.status) not in (0, became) and registration_case_stands(new.id, decided_state(old.status)) then
    perform refuse_without_case(new.id);
  end if;
  return null;
end $$;
