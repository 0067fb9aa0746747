-- A student whose record goes into another takes it along.
create or replace function degree_exception_stays() returns trigger language plpgsql as $$
begin
  if (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) or (to_jsonb(new) - '{revoked_at,revoked_by,revoked_reason,student_id}'::text[])
      is distinct from (to_jsonb(old) - '{revoked_at,revoked_by,revoked_reason,student_id}'::text[]) then
    raise exception 'What was decided is taken back, not changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
