-- Who may do everything stays, whoever writes: the last of them is neither blocked nor removed nor made one of the others.
-- Two at the same moment wait for each other; the second sees what the first did.
create or replace function keep_a_super_admin() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('super admins'));
  if not exists (select from users where (is_super_admin or is_root) and removed_at is null and blocked_at is null) then
    raise exception 'Nobody would be left who may do everything'
      using errcode = 'check_violation', constraint = 'last_super_admin', table = 'users';
  end if;
  return null;
end $$;
