create or replace function notify_session_changed() returns trigger language plpgsql as $$
begin
  if (select count(*) from old_rows) > 100 then
    perform pg_notify('session_changed', '*');
  else
    perform pg_notify('session_changed', id::text) from old_rows;
  end if;
  return null;
end $$;
