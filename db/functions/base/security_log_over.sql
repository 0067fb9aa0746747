-- Months of the security log that are over after so many days, none in which somebody stands of whom nothing is erased.
create or replace function security_log_over(days integer) returns table (month text, first timestamptz, rows bigint)
language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  name text;
  held boolean;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'security_log'::regclass and c.relname ~ '^security_log_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM')
        < date_trunc('month', now()) - make_interval(months => greatest(ceil(days / 30.5)::integer, 12))
    order by 1
  loop
    execute format('select exists (select from %I l join legal_holds h on h.ended_at is null
      and h.user_id in (l.actor_id, l.subject_id, l.impersonator_id))', name) into held;
    continue when held;
    month := name;
    first := to_date(right(name, 7), 'YYYY_MM');
    execute format('select count(*) from %I', name) into rows;
    return next;
  end loop;
end $$;
