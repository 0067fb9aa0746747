create or replace function count_changed_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_row_count(tg_table_name,
    (select count(*) from after where removed_at is null) - (select count(*) from before where removed_at is null));
  return null;
end $$;
