-- Makes the partitions of this month (UTC) and of `ahead` more, two years at most; returns the names of new ones. A month of
-- which rows already stand in `audit_log_rest` stays there. The program asks for room in the trail; the owner makes it.
create or replace function ensure_audit_partitions(ahead integer) returns setof text
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  first date;
  name text;
  found_rows boolean;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_audit_partitions'));
  for step in 0 .. least(ahead, 24) loop
    first := (date_trunc('month', now()) + make_interval(months => step))::date;
    name := 'audit_log_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    select exists (select from audit_log_rest where at >= first and at < first + interval '1 month') into found_rows;
    continue when found_rows;
    execute format('create table %I (like audit_log including defaults including constraints)', name);
    execute format('create trigger append_only_truncate before truncate on %I
      for each statement execute function refuse_audit_change()', name);
    execute format('alter table audit_log attach partition %I for values from (%L) to (%L)',
      name, first::timestamptz, (first + interval '1 month')::timestamptz);
    return next name;
  end loop;
end $$;
