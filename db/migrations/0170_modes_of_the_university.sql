-- Whoever changes a setting of the university, every process hears it when it commits, and tells the browsers that are open.
create function tell_settings_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('settings_changed', '');
  return null;
end $$;
create trigger tell_settings_changed after insert or update or delete on settings
  for each statement execute function tell_settings_changed();

-- Whether the university is closed for maintenance at a moment: switched on by hand, or by the announced times.
create function in_maintenance(moment timestamptz) returns boolean language sql stable as $$
  select coalesce(bool_or(key = 'maintenance' and value #>> '{}' = 'true'), false)
    or coalesce(max(value #>> '{}') filter (where key = 'maintenance_from') <> ''
      and moment >= (max(value #>> '{}') filter (where key = 'maintenance_from'))::timestamptz
      and moment < coalesce(nullif(max(value #>> '{}') filter (where key = 'maintenance_until'), '')::timestamptz, 'infinity'), false)
  from settings where key in ('maintenance', 'maintenance_from', 'maintenance_until')
$$;
