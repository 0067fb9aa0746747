-- Refuses whoever is given a place that is not there. What was full before (places that were lost) stands.
create or replace function guard_emtyaz_places() returns trigger language plpgsql as $$
begin
  if new.removed_at is not null then return null; end if;
  perform from emtyaz_trainings t where t.id = new.training_id for no key update;
  if tg_op = 'UPDATE' and old.status = 'accepted' and old.removed_at is null and old.training_id = new.training_id
    and new.starts_on >= old.starts_on and coalesce(new.interrupted_on, new.ends_on) <= coalesce(old.interrupted_on, old.ends_on) then return null; end if;
  if exists (select from emtyaz_overfull(array[new.training_id], new.starts_on, coalesce(new.interrupted_on, new.ends_on))) then
    raise exception 'no place' using errcode = 'check_violation', constraint = 'rotation_full';
  end if;
  return null;
end $$;
