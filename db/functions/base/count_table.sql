-- Counts a table from now on. Nobody writes to it until this is committed.
create or replace function count_table(name text) returns void language plpgsql as $$
begin
  execute format('create trigger count_insert after insert on %I referencing new table as added
    for each statement execute function count_added_rows()', name);
  execute format('create trigger count_delete after delete on %I referencing old table as deleted
    for each statement execute function count_deleted_rows()', name);
  execute format('create trigger count_update after update on %I referencing old table as before new table as after
    for each statement execute function count_changed_rows()', name);
  execute format('create trigger count_truncate after truncate on %I for each statement execute function count_no_rows()', name);
  execute format('insert into row_counts (table_name, change) select %L, count(*) from %I where removed_at is null', name, name);
end $$;
revoke execute on function count_table(text) from public;
