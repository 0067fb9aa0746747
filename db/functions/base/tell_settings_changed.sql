-- Whoever changes a setting of the university, every process hears it when it commits, and tells the browsers that are open.
create or replace function tell_settings_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('settings_changed', '');
  return null;
end $$;
