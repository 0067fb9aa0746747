-- Refuses to change what a supervisor confirmed in a logbook. Whose it is goes with the rotation (0189).
create or replace function guard_logbook_entry() returns trigger language plpgsql as $$
begin
  if (new.rotation_id, new.type_id, new.role, new.done_at, new.note)
    is distinct from (old.rotation_id, old.type_id, old.role, old.done_at, old.note) then
    raise exception 'confirmed' using errcode = 'check_violation', constraint = 'logbook_confirmed';
  end if;
  return new;
end $$;
