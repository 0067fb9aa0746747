-- One entry per row of the statement. Arguments: the table's key columns, the columns left out. The setting `ems.actor`
-- says who acts: {actor_id, impersonator_id, ip, reason, request_id}.
--
-- Of thousands of new rows only the columns in which any of them has a value are turned into JSON, and what is the same for
-- all of them is made once. Old and new rows are joined in full, although every row has its partner: such a join is never
-- planned as a loop over both, which a plan made for one row would go on doing for thousands. `offset 0` makes each row's
-- JSON once; without it the planner would write it anew for every one of its columns.
--
-- What is erased because its time is over (the setting `ems.erasing` is on) does not live on in the trail: it says that and
-- when it went, and which columns were emptied, not what stood there.
create or replace function audit_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  keys text[] := tg_argv[0];
  excluded text[] := tg_argv[1];
  counting text;
  names text[];
  kinds text[];
  filled bigint[];
  record text;
  plain text;
  nested text;
  erasing boolean := coalesce(current_setting('ems.erasing', true), '') = 'on';
begin
  -- What a trigger writes (seats counted, say) is derived from a change that has its own entry.
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform from new_rows offset 100 limit 1;
    if found then
      -- Columns are looked up each time, so that one that comes later is no exception. Secrets are told as a sign, and
      -- what is within lists and JSON stays as it is, nulls as well.
      select string_agg(format('count(%I)', a.attname), ', ' order by a.attnum), array_agg(a.attname::text order by a.attnum),
          array_agg(case when a.attname ~ '(password|secret|token)' then 'secret'
            when t.typcategory in ('A', 'C', 'U') then 'nested' else 'plain' end order by a.attnum),
          max(format(case when a.atttypid = 'integer'::regtype
            then 'case when n.%1$I between 0 and 999999999 then n.%1$I end' else 'audit_record(n.%1$I::text)' end, a.attname))
            filter (where a.attname = keys[1])
        into counting, names, kinds, record
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = tg_relid and a.attnum > 0 and not a.attisdropped and a.attname <> all (excluded);
      execute format('select array[%s] from new_rows', counting) into filled;
      select string_agg(format(case kind when 'secret' then 'case when n.%1$I is not null then ''•••'' end as %1$I'
            else 'n.%1$I' end, name), ', ') filter (where kind <> 'nested'),
          string_agg(format(' || case when to_jsonb(n.%1$I) <> ''null'' then jsonb_build_object(%1$L, n.%1$I) else ''{}'' end',
            name), '') filter (where kind = 'nested')
        into plain, nested
        from unnest(names, kinds, filled) as c (name, kind, n) where n > 0;
      execute format('insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
        select ''insert'', $1, %s, $2, $3, $4, $5, $6, jsonb_strip_nulls(to_jsonb(p)) %s
        from new_rows n cross join lateral (select %s) p', coalesce(record, 'null'), coalesce(nested, ''), coalesce(plain, ''))
        using tg_table_name::text, (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet,
          who ->> 'reason', who ->> 'request_id';
      return null;
    end if;
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
    select 'insert', tg_table_name, audit_record(line ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      audit_line(line, excluded)
    from (select to_jsonb(n) as line from new_rows n offset 0) as rows;
  elsif tg_op = 'DELETE' then
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old)
    select 'delete', tg_table_name, audit_record(line ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      case when erasing then '{}' else audit_line(line, excluded) end
    from (select to_jsonb(o) as line from old_rows o offset 0) as rows;
  else
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
    select 'update', tg_table_name, audit_record(rows.new ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      change.old, change.new
    from (
      select o.line as old, n.line as new
      from (select to_jsonb(r) as line from old_rows r offset 0) as o
      full join (select to_jsonb(r) as line from new_rows r offset 0) as n
        on case when cardinality(keys) = 1 then o.line ->> keys[1] else audit_key(o.line, keys) end
         = case when cardinality(keys) = 1 then n.line ->> keys[1] else audit_key(n.line, keys) end
    ) as rows
    cross join lateral (
      -- A row without an id of its own is known by its key, which therefore stands beside the change.
      select
        jsonb_object_agg(key, case when (key ~ '(password|secret|token)' or (erasing and value in ('null', '{}')))
          and rows.old -> key <> 'null' then '"•••"' else rows.old -> key end) as old,
        jsonb_object_agg(key, case when key ~ '(password|secret|token)' and value <> 'null' then '"•••"' else value end) as new,
        bool_or(value is distinct from rows.old -> key) as changed
      from jsonb_each(rows.new)
      where (value is distinct from rows.old -> key and key <> all (excluded)) or (cardinality(keys) > 1 and key = any (keys))
    ) as change
    where change.changed;
  end if;
  return null;
end $$;
