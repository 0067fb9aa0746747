-- Sessions that act by a delegation which was changed or taken back are asked for anew, in every process.
create or replace function notify_delegation_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('rights_changed', old.from_user_id::text);
  return null;
end $$;
