-- Puts a table under the audit trail and keeps its `updated_at` and `version`. `excluded`: further columns whose changes
-- are not kept (counters, say). The record is known by `id`, else by the first column of the primary key.
create or replace function audit_table(name text, excluded text[] default '{}') returns void language plpgsql as $$
declare
  columns text[];
  keys text[];
begin
  select array_agg(attname) into columns from pg_attribute
    where attrelid = name::regclass and attnum > 0 and not attisdropped;
  if 'id' = any (columns) then
    keys := array['id'];
  else
    select array_agg(a.attname order by k.place) into keys
      from pg_index i
      cross join unnest(i.indkey) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
      where i.indrelid = name::regclass and i.indisprimary;
  end if;
  if keys is null then
    raise exception 'table % has no key by which the audit trail could know its rows', name;
  end if;
  excluded := excluded || array['search_text', 'version', 'created_at', 'updated_at'];
  execute format('create trigger audit_insert after insert on %I referencing new table as new_rows
    for each statement execute function audit_change(%L, %L)', name, keys, excluded);
  execute format('create trigger audit_update after update on %I referencing old table as old_rows new table as new_rows
    for each statement execute function audit_change(%L, %L)', name, keys, excluded);
  execute format('create trigger audit_delete after delete on %I referencing old table as old_rows
    for each statement execute function audit_change(%L, %L)', name, keys, excluded);
  if columns @> array['version', 'updated_at'] then
    execute format('create trigger touch before update on %I for each row execute function touch_version()', name);
  elsif 'updated_at' = any (columns) then
    execute format('create trigger touch before update on %I for each row execute function touch_row()', name);
  end if;
end $$;
