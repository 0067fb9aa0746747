-- A family that has ended stays as it was. Its members are of it as long as it stands.
create or replace function keep_family() returns trigger language plpgsql as $$
begin
  if tg_when = 'AFTER' then
    update family_members set live = (new.status = 'active' and new.removed_at is null)
      where family_id = new.id and live <> (new.status = 'active' and new.removed_at is null);
    return null;
  end if;
  if old.status = 'ended' and (tg_op = 'DELETE' or (new.status, new.name, new.proof_id, new.ended_on, new.ended_reason)
      is distinct from (old.status, old.name, old.proof_id, old.ended_on, old.ended_reason)) then
    raise exception using errcode = 'check_violation', constraint = 'family_ended', message = 'family_ended';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
