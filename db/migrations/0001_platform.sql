-- The platform: people who sign in, their rights and sessions, the audit trail, files, jobs, settings.

-- People ------------------------------------------------------------------------------------------------------------

create table users (
  id integer generated always as identity primary key,
  -- 1 instructor, 2 employee, 3 student, 4 applicant
  type smallint not null constraint users_type check (type between 1 and 4),
  email text constraint users_email_trimmed check (email = btrim(email) and email <> ''),
  -- argon2id in PHC form; null: the person has no password (yet) and signs in another way.
  password_hash text,
  name text not null,
  name_local text not null,
  phone text,
  photo_file_id integer,
  is_super_admin boolean not null default false,
  is_root boolean not null default false,
  blocked_at timestamptz,
  blocked_reason text,
  language text constraint users_language check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));
create index users_type_idx on users (type) where removed_at is null;

-- Apart from `users`, so that signing in neither changes a person's version nor fills the audit trail.
create table last_logins (
  user_id integer primary key references users on delete cascade,
  last_login_at timestamptz not null,
  ip inet,
  user_agent text
);

create table files (
  id integer generated always as identity primary key,
  -- SHA-256 of the content, hexadecimal: the address in the storage. Equal contents are stored once.
  hash text not null constraint files_hash check (hash ~ '^[0-9a-f]{64}$'),
  name text not null,
  ext text not null,
  mime text not null,
  size integer not null constraint files_size check (size >= 0),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now()
);
create index files_hash_idx on files (hash);
create index files_created_by_idx on files (created_by);
alter table users add constraint users_photo_file_id_fkey foreign key (photo_file_id) references files on delete set null;
create index users_photo_file_id_idx on users (photo_file_id);

-- Rights ------------------------------------------------------------------------------------------------------------

create table roles (
  id integer generated always as identity primary key,
  key text not null constraint roles_key_key unique,
  name text not null,
  name_local text not null,
  -- Came with the program: its key stays, its rights may be changed.
  system boolean not null default false,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table role_permissions (
  id integer generated always as identity primary key,
  role_id integer not null references roles on delete cascade,
  permission text not null,
  reach text not null constraint role_permissions_reach check (reach in ('scope', 'own', 'taught', 'advised')),
  constraint role_permissions_key unique (role_id, permission)
);

create table role_assignments (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  role_id integer not null references roles on delete cascade,
  -- null: the whole university. `scope_id` is an id of the table the type names.
  scope_type text constraint role_assignments_scope_type check (scope_type in ('faculty', 'department', 'bylaw', 'program')),
  scope_id integer,
  -- Days, both included; null: without limit.
  valid_from date,
  valid_to date,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint role_assignments_scope check ((scope_type is null) = (scope_id is null)),
  constraint role_assignments_validity check (valid_from <= valid_to)
);
create unique index role_assignments_key on role_assignments
  (user_id, role_id, coalesce(scope_type, ''), coalesce(scope_id, 0), coalesce(valid_from, '-infinity'));
create index role_assignments_role_id_idx on role_assignments (role_id);
create index role_assignments_created_by_idx on role_assignments (created_by);

-- Rights given to a person directly, for the whole university.
create table user_permissions (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  permission text not null,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint user_permissions_key unique (user_id, permission)
);
create index user_permissions_created_by_idx on user_permissions (created_by);

-- Rights within a part of the university, for a time.
create table access_entries (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  permission text not null,
  scope_type text not null constraint access_entries_scope_type check (scope_type in ('faculty', 'department', 'bylaw', 'program')),
  scope_id integer not null,
  valid_from date,
  valid_to date,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint access_entries_validity check (valid_from <= valid_to)
);
create unique index access_entries_key on access_entries
  (user_id, permission, scope_type, scope_id, coalesce(valid_from, '-infinity'));
create index access_entries_created_by_idx on access_entries (created_by);

-- Signing in --------------------------------------------------------------------------------------------------------

create table sessions (
  -- SHA-256 of the token: a copy of this table opens nothing.
  token_hash bytea primary key,
  id uuid not null constraint sessions_id_key unique,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ip inet,
  user_agent text,
  -- Who really sits there, when somebody is logged in as another person.
  impersonator_id integer references users on delete cascade,
  -- The impersonator's session, to which the end of this one returns.
  impersonator_session_id uuid references sessions (id) on delete cascade,
  read_only boolean not null default false
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_impersonator_id_idx on sessions (impersonator_id) where impersonator_id is not null;
create index sessions_impersonator_session_id_idx on sessions (impersonator_session_id) where impersonator_session_id is not null;
create index sessions_expires_at_idx on sessions (expires_at);

-- Counts of failed attempts by account (a hash of what was typed, known or not) and by address.
create table login_attempts (
  key text primary key,
  failures integer not null,
  last_failed_at timestamptz not null,
  blocked_until timestamptz not null
);
create index login_attempts_last_failed_at_idx on login_attempts (last_failed_at);

create table password_resets (
  token_hash bytea primary key,
  user_id integer not null references users on delete cascade,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_user_id_idx on password_resets (user_id);
create index password_resets_created_by_idx on password_resets (created_by);
create index password_resets_expires_at_idx on password_resets (expires_at);

create table login_tokens (
  token_hash bytea primary key,
  user_id integer not null references users on delete cascade,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index login_tokens_user_id_idx on login_tokens (user_id);
create index login_tokens_created_by_idx on login_tokens (created_by);
create index login_tokens_expires_at_idx on login_tokens (expires_at);

-- Keys the server makes for itself at its first start (signing file links), shared by all its processes.
create table secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);

-- Other processes hear at once what their caches must forget: the id of one person, or '*'.
create function notify_rights_changed() returns trigger language plpgsql as $$
declare
  people integer[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct user_id) into people from old_rows;
  else
    select array_agg(distinct user_id) into people from new_rows;
  end if;
  if cardinality(people) = 1 then
    perform pg_notify('rights_changed', people[1]::text);
  elsif people is not null then
    perform pg_notify('rights_changed', '*');
  end if;
  return null;
end $$;

create function notify_all_rights_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('rights_changed', '*');
  return null;
end $$;

create function notify_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('rights_changed', new.id::text);
  return null;
end $$;

create function notify_session_changed() returns trigger language plpgsql as $$
begin
  if (select count(*) from old_rows) > 100 then
    perform pg_notify('session_changed', '*');
  else
    perform pg_notify('session_changed', id::text) from old_rows;
  end if;
  return null;
end $$;

do $$
declare
  one text;
begin
  foreach one in array array['role_assignments', 'user_permissions', 'access_entries'] loop
    execute format('create trigger rights_changed_insert after insert on %I referencing new table as new_rows
      for each statement execute function notify_rights_changed()', one);
    execute format('create trigger rights_changed_update after update on %I referencing new table as new_rows
      for each statement execute function notify_rights_changed()', one);
    execute format('create trigger rights_changed_delete after delete on %I referencing old table as old_rows
      for each statement execute function notify_rights_changed()', one);
  end loop;
  foreach one in array array['roles', 'role_permissions'] loop
    execute format('create trigger rights_changed after insert or update or delete on %I
      for each statement execute function notify_all_rights_changed()', one);
  end loop;
end $$;
create trigger rights_changed
  after update of type, email, name, name_local, is_super_admin, is_root, blocked_at, removed_at on users
  for each row when (old.* is distinct from new.*) execute function notify_user_changed();
create trigger session_changed after delete on sessions referencing old table as old_rows
  for each statement execute function notify_session_changed();

-- Audit trail -------------------------------------------------------------------------------------------------------

create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  action text not null constraint audit_log_action check (action in ('insert', 'update', 'delete')),
  table_name text not null,
  record_id integer,
  -- Who acted, and who really sat there. No foreign keys: the trail outlives what it tells about.
  actor_id integer,
  impersonator_id integer,
  ip inet,
  reason text,
  request_id text,
  -- Only fields that changed; an insert has no old values, a delete no new ones.
  old jsonb,
  new jsonb,
  primary key (id, at)
) partition by range (at);
create index audit_log_record_idx on audit_log (table_name, record_id, at desc);
create index audit_log_actor_idx on audit_log (actor_id, at desc);
create index audit_log_at_idx on audit_log (at desc);
create index audit_log_request_idx on audit_log (request_id) where request_id is not null;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit trail is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger append_only_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();

create table audit_log_rest partition of audit_log default;
create trigger append_only_truncate before truncate on audit_log_rest
  for each statement execute function refuse_audit_change();

-- Makes the partitions of this month (UTC) and of `ahead` more; returns the names of new ones. A month of which rows
-- already stand in `audit_log_rest` stays there.
create function ensure_audit_partitions(ahead integer) returns setof text
language plpgsql set timezone = 'UTC' as $$
declare
  first date;
  name text;
  found_rows boolean;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_audit_partitions'));
  for step in 0 .. ahead loop
    first := (date_trunc('month', now()) + make_interval(months => step))::date;
    name := 'audit_log_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    select exists (select from audit_log_rest where at >= first and at < first + interval '1 month') into found_rows;
    continue when found_rows;
    execute format('create table %I (like audit_log including defaults including constraints)', name);
    execute format('create trigger append_only_truncate before truncate on %I
      for each statement execute function refuse_audit_change()', name);
    execute format('alter table audit_log attach partition %I for values from (%L) to (%L)',
      name, first::timestamptz, (first + interval '1 month')::timestamptz);
    return next name;
  end loop;
end $$;
select ensure_audit_partitions(3);

-- Imports, jobs, notifications, settings ----------------------------------------------------------------------------

create table import_previews (
  id uuid primary key default gen_random_uuid(),
  resource text not null,
  payload jsonb not null,
  created_by integer references users on delete cascade,
  created_at timestamptz not null default now()
);
create index import_previews_created_by_idx on import_previews (created_by);
create index import_previews_created_at_idx on import_previews (created_at);

create table jobs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  state text not null default 'queued'
    constraint jobs_state check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Percent.
  progress smallint not null default 0 constraint jobs_progress check (progress between 0 and 100),
  message text,
  result jsonb,
  -- A refusal in the shape of every error answer.
  error jsonb,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index jobs_created_by_idx on jobs (created_by, created_at desc);
create index jobs_created_at_idx on jobs (created_at);

create table notifications (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- Key of the text in the catalogues; `data` fills its places, so that each reads it in the own language.
  key text not null,
  data jsonb not null default '{}',
  -- Where it leads in the application, e.g. /my/invoices.
  link text,
  read_at timestamptz,
  created_at timestamptz not null default now()
);
create index notifications_user_id_idx on notifications (user_id, created_at desc);
create index notifications_unread_idx on notifications (user_id) where read_at is null;

create table settings (
  id integer generated always as identity primary key,
  key text not null constraint settings_key_key unique,
  value jsonb not null,
  -- Heading under which the settings screen shows it.
  grouping text not null default 'university',
  -- Told to anyone, before signing in (name, logo, colours).
  public boolean not null default false,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into settings (key, value, grouping) values ('read_only', 'false', 'system');
