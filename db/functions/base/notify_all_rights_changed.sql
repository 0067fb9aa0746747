create or replace function notify_all_rights_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('rights_changed', '*');
  return null;
end $$;
