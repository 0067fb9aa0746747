create or replace function unsealed_update() returns trigger language plpgsql as $$
begin
  -- A key that changed leaves one record and makes another.
  perform note_unsealed((select string_agg(x.record, ',') from (
    select tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(n)) as record from new_rows n
    union select tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(o)) from old_rows o) x));
  return null;
end $$;
