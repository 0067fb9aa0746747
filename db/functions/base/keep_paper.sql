-- Issued is issued: only who may see what changes, revoking, and what replaces it, each once.
create or replace function keep_paper() returns trigger language plpgsql as $$
declare
  open text[] := array['disclosure', 'revoked_at', 'revoked_by', 'revoked_reason', 'replaced_by'];
begin
  if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
    raise exception 'An issued paper stays as it is' using errcode = 'insufficient_privilege';
  end if;
  if old.revoked_at is not null
    and (new.revoked_at, new.revoked_by, new.revoked_reason) is distinct from (old.revoked_at, old.revoked_by, old.revoked_reason) then
    raise exception 'A revoked paper stays revoked' using errcode = 'insufficient_privilege';
  end if;
  if old.replaced_by is not null and new.replaced_by is distinct from old.replaced_by then
    raise exception 'A replaced paper stays replaced' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
