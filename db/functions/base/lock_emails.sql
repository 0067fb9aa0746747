-- Whoever writes addresses waits for who else does: each sees what the other wrote.
create or replace function lock_emails() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('e-mail'), 0);
  return null;
end $$;
