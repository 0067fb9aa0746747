-- Room for this month (UTC) and `ahead` more; months older than `kept` go, never what is younger than a year, whatever is
-- asked. The owner does both, whoever asks.
create or replace function ensure_security_log_months(ahead integer, kept integer) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  first date;
  name text;
  found_rows boolean;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_security_log_months'));
  for step in 0 .. least(ahead, 24) loop
    first := (date_trunc('month', now()) + make_interval(months => step))::date;
    name := 'security_log_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    select exists (select from security_log_rest where at >= first and at < first + interval '1 month') into found_rows;
    continue when found_rows;
    execute format('create table %I (like security_log including defaults including constraints)', name);
    execute format('create trigger append_only_truncate before truncate on %I
      for each statement execute function refuse_security_log_change()', name);
    execute format('alter table security_log attach partition %I for values from (%L) to (%L)',
      name, first::timestamptz, (first + interval '1 month')::timestamptz);
  end loop;
  for name in select month from security_log_over(greatest(kept, 12) * 305 / 10) loop
    execute format('drop table %I', name);
  end loop;
end $$;
