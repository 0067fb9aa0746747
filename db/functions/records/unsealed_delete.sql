create or replace function unsealed_delete() returns trigger language plpgsql as $$
begin
  perform note_unsealed((select string_agg(tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(o)), ',') from old_rows o));
  return null;
end $$;
