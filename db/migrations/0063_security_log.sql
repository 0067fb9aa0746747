-- Who came in, who tried, who took data out, who read whose record, whose rights changed: apart from the audit trail,
-- which tells what was changed. Entries are added and read, never changed; old months are dropped as a whole.

create table security_log (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  kind text not null constraint security_log_kind check (kind in (
    'sign_in', 'sign_in_failed', 'sign_out', 'session_ended', 'password_asked', 'password_changed', 'proof_failed',
    'log_in_as', 'log_in_as_ended', 'export', 'read', 'rights', 'refused')),
  -- Who acted, who really sat there, and whose account it concerns. No foreign keys: the log outlives what it tells about.
  actor_id integer,
  impersonator_id integer,
  subject_id integer,
  -- A keyed digest of what was typed where no such account exists: equal attempts are seen to be equal, and nobody reads
  -- a password that was typed into the wrong field.
  account text,
  -- The record that was read.
  record_type text,
  record_id integer,
  ip inet,
  user_agent text,
  request_id text,
  data jsonb not null default '{}',
  primary key (id, at)
) partition by range (at);
create index security_log_at_idx on security_log (at desc, id desc);
create index security_log_actor_idx on security_log (actor_id, at desc);
create index security_log_subject_idx on security_log (subject_id, at desc);
create index security_log_ip_idx on security_log (ip, at desc);

create function refuse_security_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'The security log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on security_log
  for each row execute function refuse_security_log_change();
create trigger append_only_truncate before truncate on security_log
  for each statement execute function refuse_security_log_change();
create table security_log_rest partition of security_log default;
create trigger append_only_truncate before truncate on security_log_rest
  for each statement execute function refuse_security_log_change();

-- Room for this month (UTC) and `ahead` more; months older than `kept` go. The owner does both, whoever asks.
create function ensure_security_log_months(ahead integer, kept integer) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  first date;
  name text;
  found_rows boolean;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_security_log_months'));
  for step in 0 .. least(ahead, 24) loop
    first := (date_trunc('month', now()) + make_interval(months => step))::date;
    name := 'security_log_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    select exists (select from security_log_rest where at >= first and at < first + interval '1 month') into found_rows;
    continue when found_rows;
    execute format('create table %I (like security_log including defaults including constraints)', name);
    execute format('create trigger append_only_truncate before truncate on %I
      for each statement execute function refuse_security_log_change()', name);
    execute format('alter table security_log attach partition %I for values from (%L) to (%L)',
      name, first::timestamptz, (first + interval '1 month')::timestamptz);
  end loop;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'security_log'::regclass and c.relname ~ '^security_log_\d{4}_\d{2}$'
      -- Never what is younger than a year, whatever is asked.
      and to_date(right(c.relname, 7), 'YYYY_MM') < date_trunc('month', now()) - make_interval(months => greatest(kept, 12))
  loop
    execute format('drop table %I', name);
  end loop;
end $$;
select ensure_security_log_months(3, 24);

-- Rights that change are written down by the database, whoever changes them: what was given or taken, and to whom.
create function log_rights_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into security_log (kind, actor_id, impersonator_id, subject_id, ip, request_id, data)
  select 'rights', (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer, (line ->> 'user_id')::integer,
    (who ->> 'ip')::inet, who ->> 'request_id',
    jsonb_strip_nulls(jsonb_build_object('change', lower(tg_op), 'what', tg_table_name, 'reason', who ->> 'reason',
      'role', (select r.key from roles r where r.id = (line ->> 'role_id')::integer))
      || (line - array['id', 'user_id', 'role_id', 'created_by', 'created_at']))
  from (select to_jsonb(c) as line from changed c) as rows
  -- The rights a role begins with come with the program.
  where tg_table_name <> 'role_permissions' or who ->> 'actor_id' is not null;
  return null;
end $$;
do $$
declare
  one text;
begin
  foreach one in array array['role_assignments', 'user_permissions', 'access_entries', 'role_permissions'] loop
    execute format('create trigger log_rights_insert after insert on %I referencing new table as changed
      for each statement execute function log_rights_change()', one);
    execute format('create trigger log_rights_update after update on %I referencing new table as changed
      for each statement execute function log_rights_change()', one);
    execute format('create trigger log_rights_delete after delete on %I referencing old table as changed
      for each statement execute function log_rights_change()', one);
  end loop;
end $$;

create function log_account_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into security_log (kind, actor_id, impersonator_id, subject_id, ip, request_id, data)
  values ('rights', (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer, new.id, (who ->> 'ip')::inet,
    who ->> 'request_id', jsonb_strip_nulls(jsonb_build_object('change', lower(tg_op), 'what', 'users', 'reason', who ->> 'reason',
      'is_super_admin', new.is_super_admin, 'is_root', new.is_root, 'blocked', new.blocked_at is not null,
      'removed', new.removed_at is not null)));
  return null;
end $$;
create trigger log_account_update after update of is_super_admin, is_root, blocked_at, removed_at on users
  for each row when ((old.is_super_admin, old.is_root, old.blocked_at, old.removed_at)
    is distinct from (new.is_super_admin, new.is_root, new.blocked_at, new.removed_at))
  execute function log_account_change();
create trigger log_account_insert after insert on users
  for each row when (new.is_super_admin or new.is_root) execute function log_account_change();

-- Files that people hand in are data like any other.
select audit_table('files');
