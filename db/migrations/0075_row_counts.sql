-- How many rows of a large table are not removed, kept by what changes them: the count of a whole list then looks at a few
-- numbers instead of at every row. It is exact, and seen by each transaction as it sees the rows: changes are only added
-- here, so that nobody waits for anybody, and are summed up from time to time.
create table row_counts (
  id bigint generated always as identity primary key,
  table_name text not null,
  change bigint not null
);

create function note_row_count(name text, by bigint) returns void
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

create function count_added_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_row_count(tg_table_name, (select count(*) from added where removed_at is null));
  return null;
end $$;
create function count_deleted_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_row_count(tg_table_name, -(select count(*) from deleted where removed_at is null));
  return null;
end $$;
create function count_changed_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_row_count(tg_table_name,
    (select count(*) from after where removed_at is null) - (select count(*) from before where removed_at is null));
  return null;
end $$;
create function count_no_rows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from row_counts where table_name = tg_table_name;
  return null;
end $$;

-- Counts a table from now on. Nobody writes to it until this is committed.
create function count_table(name text) returns void language plpgsql as $$
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
revoke execute on function note_row_count(text, bigint), count_table(text) from public;

select count_table('students');

-- Pages of the list in its usual order, however far down: what is passed over is read in the index alone.
create index students_code_present on students (code, id) where removed_at is null;
