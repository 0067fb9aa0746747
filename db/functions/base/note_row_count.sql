create or replace function note_row_count(name text, by bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if by <> 0 then
    insert into row_counts (table_name, change) values (name, by);
  end if;
  if random() < 0.02 then
    -- What another transaction sums up at this moment is left to it.
    with mine as (
      select id from row_counts where table_name = name for update skip locked
    ), gone as (
      delete from row_counts where id in (select id from mine) returning change
    )
    insert into row_counts (table_name, change) select name, sum(change) from gone having count(*) > 0;
  end if;
end $$;
revoke execute on function note_row_count(text, bigint) from public;
