-- Whether the university is closed for maintenance at a moment: switched on by hand, or by the announced times.
create or replace function in_maintenance(moment timestamptz) returns boolean language sql stable as $$
  select coalesce(bool_or(key = 'maintenance' and value #>> '{}' = 'true'), false)
    or coalesce(max(value #>> '{}') filter (where key = 'maintenance_from') <> ''
      and moment >= (max(value #>> '{}') filter (where key = 'maintenance_from'))::timestamptz
      and moment < coalesce(nullif(max(value #>> '{}') filter (where key = 'maintenance_until'), '')::timestamptz, 'infinity'), false)
  from settings where key in ('maintenance', 'maintenance_from', 'maintenance_until')
$$;
