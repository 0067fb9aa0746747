-- What every table leans on: folded search, versions, the audit trail.

create extension if not exists pg_trgm;

-- Search -------------------------------------------------------------------------------------------------------------

-- A text without what people type differently: case, Arabic letter variants (أ إ آ ٱ ا, ة ه, ى ی ي, ک ك, hamza on its
-- carrier), diacritics, tatweel, digits of both Arabic scripts, Latin accents, invisible marks, runs of spaces.
create function fold_text(value text) returns text
language sql immutable strict parallel safe
return btrim(regexp_replace(
  translate(
    replace(replace(replace(
      regexp_replace(
        lower(normalize(value, NFKD) collate "und-x-icu"),
        '[\u0300-\u036F\u0610-\u061A\u061C\u0640\u064B-\u065F\u0670\u06D6-\u06ED\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]',
        '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    'ٱةىیېکہھ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹øđłıð',
    'اهيييكهه01234567890123456789odlid'),
  '\s+', ' ', 'g'));

-- The pattern of one typed word: found anywhere, its own % _ \ meant literally.
create function search_pattern(word text) returns text
language sql immutable strict parallel safe
return '%' || regexp_replace(fold_text(word), '([\\%_])', '\\\1', 'g') || '%';

-- Versions -----------------------------------------------------------------------------------------------------------

create function touch_row() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

create function touch_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;

-- Audit trail --------------------------------------------------------------------------------------------------------

-- The values of the key columns of a row as one text.
create function audit_key(line jsonb, columns text[]) returns text
language sql immutable parallel safe
return (select string_agg(line ->> name, '/' order by place) from unnest(columns) with ordinality as c (name, place));

-- The id under which the trail knows a row; a key that is a word has none, and stands in the values.
create function audit_record(key text) returns integer
language sql immutable parallel safe
return case when key ~ '^\d{1,9}$' then key::integer end;

-- A row as the trail keeps it: without what is derived, empty or excluded; what is secret shows only that it is there.
create function audit_line(line jsonb, excluded text[]) returns jsonb
language sql immutable parallel safe
return (
  select coalesce(jsonb_object_agg(key,
    case when key ~ '(password|secret|token)' then '"•••"'::jsonb else value end), '{}')
  from jsonb_each(line)
  where key <> all (excluded) and value <> 'null'
);

-- One entry per row of the statement. Arguments: the table's key columns, the columns left out.
-- The setting `ems.actor` says who acts: {actor_id, impersonator_id, ip, reason, request_id}.
-- `offset 0` makes each row's JSON once; without it the planner would write it anew for every one of its columns.
create function audit_change() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  keys text[] := tg_argv[0];
  excluded text[] := tg_argv[1];
begin
  -- What a trigger writes (seats counted, say) is derived from a change that has its own entry.
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
    select 'insert', tg_table_name, audit_record(line ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      audit_line(line, excluded)
    from (select to_jsonb(n) as line from new_rows n offset 0) as rows;
  elsif tg_op = 'DELETE' then
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old)
    select 'delete', tg_table_name, audit_record(line ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      audit_line(line, excluded)
    from (select to_jsonb(o) as line from old_rows o offset 0) as rows;
  else
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
    select 'update', tg_table_name, audit_record(rows.new ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      change.old, change.new
    from (
      select o.line as old, n.line as new
      from (select to_jsonb(r) as line from old_rows r offset 0) as o
      join (select to_jsonb(r) as line from new_rows r offset 0) as n
        on case when cardinality(keys) = 1 then o.line ->> keys[1] else audit_key(o.line, keys) end
         = case when cardinality(keys) = 1 then n.line ->> keys[1] else audit_key(n.line, keys) end
    ) as rows
    cross join lateral (
      -- A row without an id of its own is known by its key, which therefore stands beside the change.
      select
        jsonb_object_agg(key, case when key ~ '(password|secret|token)' and rows.old -> key <> 'null' then '"•••"' else rows.old -> key end) as old,
        jsonb_object_agg(key, case when key ~ '(password|secret|token)' and value <> 'null' then '"•••"' else value end) as new,
        bool_or(value is distinct from rows.old -> key) as changed
      from jsonb_each(rows.new)
      where (value is distinct from rows.old -> key and key <> all (excluded)) or (cardinality(keys) > 1 and key = any (keys))
    ) as change
    where change.changed;
  end if;
  return null;
end $$;

-- Puts a table under the audit trail and keeps its `updated_at` and `version`. `excluded`: further columns whose changes
-- are not kept (counters, say). The record is known by `id`, else by the first column of the primary key.
create function audit_table(name text, excluded text[] default '{}') returns void language plpgsql as $$
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

-- The platform's own tables ------------------------------------------------------------------------------------------

alter table users add search_text text
  generated always as (fold_text(coalesce(email, '') || ' ' || name || ' ' || name_local)) stored;
create index users_search on users using gin (search_text gin_trgm_ops);

select audit_table(t) from unnest(array[
  'users', 'roles', 'role_permissions', 'role_assignments', 'user_permissions', 'access_entries', 'settings'
]) as t;
