-- The program asks; the owner takes the oldest month that is over by the length that was set. How many entries went; 0: none.
-- Whoever writes is not made to wait: where the trail is busy, the next night does it.
create or replace function erase_audit_month() returns bigint
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '2s' as $$
declare
  over record;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_audit_partitions'));
  select * into over from audit_log_over((select l.days from retention_lengths l where l.kind = 'audit')) limit 1;
  if not found then
    return 0;
  end if;
  execute format('drop table %I', over.month);
  -- A month in which nothing was changed has gone as well.
  return greatest(over.rows, 1);
exception when lock_not_available then
  return 0;
end $$;
