create or replace function count_deleted_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_row_count(tg_table_name, -(select count(*) from deleted where removed_at is null));
  return null;
end $$;
