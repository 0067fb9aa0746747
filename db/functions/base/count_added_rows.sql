create or replace function count_added_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_row_count(tg_table_name, (select count(*) from added where removed_at is null));
  return null;
end $$;
