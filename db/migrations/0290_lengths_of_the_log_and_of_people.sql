-- The log of changes, tickets, chats and details of students who left come to an end where a university says so.

-- Shorter than this is set by nobody, whoever writes.
alter table retention_lengths add constraint retention_lengths_least check (days is null or days >= case kind
  when 'audit' then 1825 when 'students' then 3650 when 'tickets' then 365 when 'chats' then 90 else 1 end) not valid;
alter table retention_lengths validate constraint retention_lengths_least;

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

-- Months of the log of changes that are over by the length that was set, or would be after so many days; none while
-- anybody stands under a legal hold: a change of a mark does not say whose it is.
create function audit_log_over(days integer) returns table (month text, first timestamptz, rows bigint)
language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  name text;
begin
  if days is null or exists (select from legal_holds where ended_at is null) then
    return;
  end if;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM')
        < date_trunc('month', now()) - make_interval(months => ceil(greatest(days, 1825) / 30.4)::integer)
    order by 1
  loop
    month := name;
    first := to_date(right(name, 7), 'YYYY_MM');
    execute format('select count(*) from %I', name) into rows;
    return next;
  end loop;
end $$;

-- The program asks; the owner takes the oldest month that is over by the length that was set. How many entries went; 0: none.
-- Whoever writes is not made to wait: where the trail is busy, the next night does it.
create function erase_audit_month() returns bigint
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '2s' as $$
declare
  over record;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_audit_partitions'));
  select * into over from audit_log_over((select l.days from retention_lengths l where l.kind = 'audit')) limit 1;
  if not found then
    return 0;
  end if;
  execute format('drop table %I', over.month);
  -- A month in which nothing was changed has gone as well.
  return greatest(over.rows, 1);
exception when lock_not_available then
  return 0;
end $$;

create index tickets_ended on tickets (updated_at) where status in ('resolved', 'closed');
create index chat_messages_at on chat_messages (created_at);
