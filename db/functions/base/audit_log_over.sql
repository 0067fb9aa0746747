-- Months of the log of changes that are over by the length that was set, or would be after so many days; none while
-- anybody stands under a legal hold: a change of a mark does not say whose it is.
create or replace function audit_log_over(days integer) returns table (month text, first timestamptz, rows bigint)
language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  name text;
begin
  if days is null or exists (select from legal_holds where ended_at is null) then
    return;
  end if;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM')
        < date_trunc('month', now()) - make_interval(months => ceil(greatest(days, 1825) / 30.4)::integer)
    order by 1
  loop
    month := name;
    first := to_date(right(name, 7), 'YYYY_MM');
    execute format('select count(*) from %I', name) into rows;
    return next;
  end loop;
end $$;
