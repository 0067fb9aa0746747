-- What is written down of tens of thousands of new rows (a university that is imported) costs less; its content is the same.

-- One entry per row of the statement. Arguments: the table's key columns, the columns left out.
-- The setting `ems.actor` says who acts: {actor_id, impersonator_id, ip, reason, request_id}.
-- Old and new rows are joined in full, although every row has its partner: such a join is never planned as a loop over
-- both, which a plan made for one row would go on doing for thousands.
-- `offset 0` makes each row's JSON once; without it the planner would write it anew for every one of its columns.
create or replace function audit_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  keys text[] := tg_argv[0];
  excluded text[] := tg_argv[1];
  special text[];
begin
  -- What a trigger writes (seats counted, say) is derived from a change that has its own entry.
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    -- Of many rows: all columns but the special ones at once, and only those key by key, with the same outcome. Which they
    -- are is looked up each time, so that a column that comes later is no exception.
    perform from new_rows offset 100 limit 1;
    if found then
      select coalesce(array_agg(a.attname::text), '{}') into special
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = tg_relid and a.attnum > 0 and not a.attisdropped and a.attname <> all (excluded)
          and (a.attname ~ '(password|secret|token)' or t.typcategory in ('A', 'C', 'U'));
      insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
      select 'insert', tg_table_name, audit_record(line ->> keys[1]), (who ->> 'actor_id')::integer,
        (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
        case when special = '{}' then jsonb_strip_nulls(line - excluded)
          else jsonb_strip_nulls(line - (excluded || special)) || audit_line(
            (select jsonb_object_agg(name, line -> name) from unnest(special) as name), '{}') end
      from (select to_jsonb(n) as line from new_rows n offset 0) as rows;
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
      full join (select to_jsonb(r) as line from new_rows r offset 0) as n
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

-- Each row's JSON is made once, and roles are joined instead of looked up.
create or replace function log_rights_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into security_log (kind, actor_id, impersonator_id, subject_id, ip, request_id, data)
  select 'rights', (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer, (line ->> 'user_id')::integer,
    (who ->> 'ip')::inet, who ->> 'request_id',
    jsonb_strip_nulls(jsonb_build_object('change', lower(tg_op), 'what', tg_table_name, 'reason', who ->> 'reason',
      'role', r.key)
      || (line - array['id', 'user_id', 'role_id', 'created_by', 'created_at']))
  from (select to_jsonb(c) as line from changed c offset 0) as rows
    left join roles r on r.id = (line ->> 'role_id')::integer
  -- The rights a role begins with come with the program.
  where tg_table_name <> 'role_permissions' or who ->> 'actor_id' is not null;
  return null;
end $$;
