create or replace function count_no_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from row_counts where table_name = tg_table_name;
  return null;
end $$;
