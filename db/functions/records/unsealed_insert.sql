create or replace function unsealed_insert() returns trigger language plpgsql as $$
begin
  perform note_unsealed((select string_agg(tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(n)), ',') from new_rows n));
  return null;
end $$;
