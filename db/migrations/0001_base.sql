-- The platform: people who sign in, their rights and sessions, the audit trail, files, jobs, settings, notices,
-- operations, papers, and what the university keeps for how long.
--
-- This file and those up to 0080 are the schema as release 7.12.14 left it, wing by wing (docs/decisions/0033). Functions
-- stand in db/functions. They are installed before what calls them, all of them by the end; their bodies may name what comes later.

create extension if not exists pg_trgm;
create extension if not exists btree_gist;

install function fold_text, touch_version, touch_row, audit_key, audit_record, audit_line, audit_change, audit_table,
  audit_rows, ensure_audit_partitions, ensure_security_log_months, security_log_over, security_log_months,
  note_row_count, count_added_rows, count_deleted_rows, count_changed_rows, count_no_rows, count_table, drop_basis,
  basis_goes_with, keep_searched, university_zone, notify_user_changed, log_account_change, lock_emails,
  keep_name_parts, keep_paper_file, forget_content, notify_all_rights_changed, refuse_same_name, log_rights_change,
  notify_rights_changed, notify_session_changed, refuse_audit_change, tell_settings_changed,
  refuse_security_log_change, refuse_step_change, refuse_serial_change, keep_paper, refuse_decision_step_change;

-- The platform: people who sign in, their rights and sessions, the audit trail, files, jobs, settings.

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
  updated_at timestamptz not null default now(),
  search_text text,
  -- A second factor at sign-in: codes of an authenticator app, and codes for the day it is lost.
  -- Since when the account has one: kept with the account, so that the trail tells who set it up and who took it away.
  second_factor_at timestamptz,
  given_name text,
  father_name text,
  grandfather_name text,
  family_name text,
  given_name_local text,
  father_name_local text,
  grandfather_name_local text,
  family_name_local text,
  used_name text,
  used_name_local text,
  -- Whether a person wants Hijri dates beside the others; null: as the university shows them.
  show_hijri boolean,
  -- The staff number of an employee.
  code text,
  job_title_id integer,
  faculty_id integer,
  department_id integer,
  manager_id integer references users,
  -- Who teaches has a record of an instructor, who studies one of a student.
  constraint work_of_employees
    check (type = 2 or num_nonnulls(code, job_title_id, faculty_id, department_id, manager_id) = 0),
  constraint own_manager check (manager_id <> id),
  constraint department_without_faculty check (department_id is null or faculty_id is not null)
);
create unique index users_email_key on users (lower(email));
create index users_type_idx on users (type) where removed_at is null;
create index users_photo_file_id_idx on users (photo_file_id);
create index users_search on users using gin (search_text gin_trgm_ops);
create unique index users_code_in_any_case on users (lower(code));
create index users_job_title on users (job_title_id) where job_title_id is not null;
create index users_faculty on users (faculty_id) where faculty_id is not null;
create index users_department on users (department_id, faculty_id);
create index users_manager on users (manager_id) where manager_id is not null;
select audit_table('users');
create trigger rights_changed
  after update of type, email, name, name_local, is_super_admin, is_root, blocked_at, removed_at on users
  for each row when (old.* is distinct from new.*) execute function notify_user_changed();
create trigger log_account_update after update of is_super_admin, is_root, blocked_at, removed_at on users
  for each row when ((old.is_super_admin, old.is_root, old.blocked_at, old.removed_at)
    is distinct from (new.is_super_admin, new.is_root, new.blocked_at, new.removed_at))
  execute function log_account_change();
create trigger log_account_insert after insert on users
  for each row when (new.is_super_admin or new.is_root) execute function log_account_change();
create trigger email_lock_insert before insert on users for each statement execute function lock_emails();
create trigger email_lock_update before update of email, removed_at on users for each statement
  execute function lock_emails();
create trigger keep_name_parts_insert before insert on users
  for each row when (new.given_name is not null or new.given_name_local is not null)
  execute function keep_name_parts();
create trigger keep_name_parts before update of name, name_local, given_name, father_name, grandfather_name,
  family_name, given_name_local, father_name_local, grandfather_name_local, family_name_local on users for each row
  execute function keep_name_parts();

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
alter table users add constraint users_photo_file_id_fkey
  foreign key (photo_file_id) references files on delete set null;
-- Files that people hand in are data like any other.
select audit_table('files');
create trigger paper_kept before update of hash, size, mime, ext on files
  for each row when ((old.hash, old.size, old.mime, old.ext) is distinct from (new.hash, new.size, new.mime, new.ext))
  execute function keep_paper_file();
create trigger content_forgotten after delete on files
  referencing old table as gone for each statement execute function forget_content();

create table roles (
  id integer generated always as identity primary key,
  key text not null unique,
  name text not null,
  name_local text not null,
  -- Came with the program: its key stays, its rights may be changed.
  system boolean not null default false,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text generated always as (fold_text(key || ' ' || name || ' ' || name_local)) stored,
  -- Whoever holds the role signs in with a second factor, or not at all.
  second_factor boolean not null default false
);
select audit_table('roles');
create trigger rights_changed after insert or update or delete on roles for each statement
  execute function notify_all_rights_changed();
create trigger same_name before insert or update of name, removed_at on roles
  for each row execute function refuse_same_name('key');

create table role_permissions (
  id integer generated always as identity primary key,
  role_id integer not null references roles on delete cascade,
  permission text not null,
  reach text not null constraint role_permissions_reach check (reach in ('scope', 'own', 'taught', 'advised')),
  constraint role_permissions_key unique (role_id, permission)
);
-- A role's rights stand in the role's own history.
select audit_rows('role_permissions', 'role_id');
create trigger rights_changed after insert or update or delete on role_permissions for each statement
  execute function notify_all_rights_changed();
create trigger log_rights_insert after insert on role_permissions referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_update after update on role_permissions referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_delete after delete on role_permissions referencing old table as changed for each statement
  execute function log_rights_change();

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
select audit_table('role_assignments');
create trigger rights_changed_insert after insert on role_assignments referencing new table as new_rows
  for each statement execute function notify_rights_changed();
create trigger rights_changed_update after update on role_assignments referencing new table as new_rows
  for each statement execute function notify_rights_changed();
create trigger rights_changed_delete after delete on role_assignments referencing old table as old_rows
  for each statement execute function notify_rights_changed();
create trigger log_rights_insert after insert on role_assignments referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_update after update on role_assignments referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_delete after delete on role_assignments referencing old table as changed for each statement
  execute function log_rights_change();

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
select audit_table('user_permissions');
create trigger rights_changed_insert after insert on user_permissions referencing new table as new_rows
  for each statement execute function notify_rights_changed();
create trigger rights_changed_update after update on user_permissions referencing new table as new_rows
  for each statement execute function notify_rights_changed();
create trigger rights_changed_delete after delete on user_permissions referencing old table as old_rows
  for each statement execute function notify_rights_changed();
create trigger log_rights_insert after insert on user_permissions referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_update after update on user_permissions referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_delete after delete on user_permissions referencing old table as changed for each statement
  execute function log_rights_change();

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
select audit_table('access_entries');
create trigger rights_changed_insert after insert on access_entries referencing new table as new_rows
  for each statement execute function notify_rights_changed();
create trigger rights_changed_update after update on access_entries referencing new table as new_rows
  for each statement execute function notify_rights_changed();
create trigger rights_changed_delete after delete on access_entries referencing old table as old_rows
  for each statement execute function notify_rights_changed();
create trigger log_rights_insert after insert on access_entries referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_update after update on access_entries referencing new table as changed for each statement
  execute function log_rights_change();
create trigger log_rights_delete after delete on access_entries referencing old table as changed for each statement
  execute function log_rights_change();

create table sessions (
  -- SHA-256 of the token: a copy of this table opens nothing.
  token_hash bytea primary key,
  id uuid not null unique,
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
  read_only boolean not null default false,
  -- When who sits there last proved it: with a password, or a link from the own mailbox. Sensitive acts ask for it again.
  confirmed_at timestamptz,
  -- Somebody acts for another person: the session ends with the delegation.
  delegation_id integer,
  -- How somebody came in; null: a session from before this was kept.
  signed_in_by text constraint sessions_signed_in_by check (signed_in_by in ('password', 'link', 'provider', 'passkey')),
  second_factor text constraint sessions_second_factor check (second_factor in ('code', 'recovery_code', 'passkey')),
  -- As which of the own records somebody works in a session; null: none was chosen.
  student_id integer,
  provider_login_id integer,
  -- When who sits there last showed a second factor. Sessions that run were proved by whatever it was: they are asked once more.
  second_proved_at timestamptz
);
-- When a session was last used is written again and again: with room on its page, its indexes need not be told.
alter table sessions set (fillfactor = 70);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_impersonator_id_idx on sessions (impersonator_id) where impersonator_id is not null;
create index sessions_impersonator_session_id_idx on sessions (impersonator_session_id) where impersonator_session_id is not null;
create index sessions_expires_at_idx on sessions (expires_at);
create index sessions_delegation_id on sessions (delegation_id) where delegation_id is not null;
create index sessions_student_id on sessions (student_id) where student_id is not null;
create index sessions_provider_login on sessions (provider_login_id) where provider_login_id is not null;
create trigger session_changed after delete on sessions referencing old table as old_rows
  for each statement execute function notify_session_changed();

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
-- The key of the seal is there before anybody asks for it within a unit of work.
insert into secrets (name, value)
values ('grade-links', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
on conflict do nothing;

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
  -- Which operation an entry of the trail belongs to: the transaction says so once, whichever trigger writes the entry.
  -- Found by the time of the operation, which is indexed, so that nothing is paid by the other entries.
  operation_id integer default nullif(current_setting('ems.operation', true), '')::integer,
  primary key (id, at)
) partition by range (at);
create table audit_log_rest partition of audit_log default;
create index audit_log_record_idx on audit_log (table_name, record_id, at desc);
create index audit_log_actor_idx on audit_log (actor_id, at desc);
create index audit_log_request_idx on audit_log (request_id) where request_id is not null;
-- The log of changes is read by kind of record, by address and by what was deleted, always the newest first; entries of one
-- moment, of which a unit of work may write a hundred thousand, stand in the order of their numbers. The indexes come while
-- rows are written.
create index audit_log_newest_idx on audit_log (at desc, id desc);
create index audit_log_table_idx on audit_log (table_name, at desc);
create index audit_log_ip_idx on audit_log (ip, at desc) where ip is not null;
create index audit_log_delete_idx on audit_log (at desc) where action = 'delete';
create trigger append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger append_only_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();
create trigger append_only_truncate before truncate on audit_log_rest
  for each statement execute function refuse_audit_change();

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
  key text not null unique,
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
select audit_table('settings');
create trigger tell_settings_changed after insert or update or delete on settings
  for each statement execute function tell_settings_changed();

-- Operations: what was done to many records at once (an import, a change of hundreds) is one entry that can be taken back.

create table operations (
  id integer generated always as identity primary key,
  -- Names what the program knows about it: who may take it back, and what follows from that.
  kind text not null,
  -- Facts for its title: the name of the file, say.
  facts jsonb not null default '{}',
  counts jsonb not null default '{}',
  actor_id integer references users on delete set null,
  impersonator_id integer references users on delete set null,
  -- The time of its transaction, which its entries in the audit trail share.
  at timestamptz not null default now(),
  -- Until when it can be taken back.
  expires_at timestamptz not null default now() + interval '7 days',
  undone_at timestamptz,
  undone_by integer references users on delete set null,
  -- What was put back, and how much was left because somebody had changed it.
  undone jsonb,
  constraint operations_undone check ((undone_at is null) = (undone is null))
);
create index operations_actor_id_idx on operations (actor_id, id desc);
create index operations_kind_idx on operations (kind, id desc);
create index operations_impersonator_id_idx on operations (impersonator_id) where impersonator_id is not null;
create index operations_undone_by_idx on operations (undone_by) where undone_by is not null;

-- Rows of a sheet that was read and is not saved yet: each with what it would do, so that a row can be mended or left out
-- without sending the sheet again.
create table import_rows (
  import_id uuid not null references import_previews on delete cascade,
  -- Its line in the sheet, the header being 1.
  row integer not null,
  -- What the sheet says, by field: {type, text}.
  cells jsonb not null,
  -- By what the row is known within the sheet: no two may share it.
  key text,
  -- What saving it does: a new record, a change, nothing; or why it cannot: it is wrong, or left out.
  state text not null constraint import_rows_state check (state in ('created', 'changed', 'same', 'wrong', 'out')),
  record_id integer,
  -- The version of the record that the row was compared with, and that which the sheet was exported from.
  version integer,
  exported jsonb,
  -- Values to be written, by field.
  values jsonb not null default '{}',
  -- [{field, old, new}] as texts.
  changes jsonb not null default '[]',
  -- What people changed since the sheet was exported: [{field, sheet, now, by, at}]; `taken`: fields in which the sheet wins.
  meanwhile jsonb not null default '[]',
  taken jsonb not null default '[]',
  errors jsonb not null default '[]',
  -- What saving a row of a sheet means beyond what it says, told before it is saved: [{code, en, ar, data}].
  notes jsonb not null default '[]',
  primary key (import_id, row)
);
create index import_rows_key_idx on import_rows (import_id, key);
create index import_rows_state_idx on import_rows (import_id, state, row);

-- One row that a server process writes now and then, to know that it can.
create table readiness (
  one boolean primary key default true constraint readiness_one check (one),
  at timestamptz not null default now()
) with (fillfactor = 10);
insert into readiness default values;

-- Browsers in which a person has signed in before, by a cookie of their own: their attempts are counted apart from those
-- of strangers, and a sign-in elsewhere is told to the person. Only a hash of the cookie is kept.
create table known_devices (
  user_id integer not null references users on delete cascade,
  device_hash bytea not null,
  ip inet,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);
create index known_devices_device_hash_idx on known_devices (device_hash);
create index known_devices_last_seen_at_idx on known_devices (last_seen_at);

-- Who came in, who tried, who took data out, who read whose record, whose rights changed: apart from the audit trail,
-- which tells what was changed. Entries are added and read, never changed; old months are dropped as a whole.

create table security_log (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  kind text not null,
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
  primary key (id, at),
  constraint security_log_kind check (kind in (
    'sign_in', 'sign_in_failed', 'sign_out', 'session_ended', 'password_asked', 'password_changed', 'proof_failed',
    'log_in_as', 'log_in_as_ended', 'export', 'read', 'rights', 'refused', 'second_factor', 'identity', 'share'))
) partition by range (at);
create table security_log_rest partition of security_log default;
create index security_log_at_idx on security_log (at desc, id desc);
create index security_log_actor_idx on security_log (actor_id, at desc);
create index security_log_subject_idx on security_log (subject_id, at desc);
create index security_log_ip_idx on security_log (ip, at desc);
-- Everybody sees who looked at the own record.
create index security_log_record_idx on security_log (record_type, record_id, at desc) where record_type is not null;
create trigger append_only before update or delete on security_log
  for each row execute function refuse_security_log_change();
create trigger append_only_truncate before truncate on security_log
  for each statement execute function refuse_security_log_change();
create trigger append_only_truncate before truncate on security_log_rest
  for each statement execute function refuse_security_log_change();

-- What each person has uploaded on a day (UTC), counted before a file is read. Old days are swept, so that nothing here
-- keeps a person.
create table uploads_of_day (
  user_id integer not null,
  day date not null,
  files integer not null,
  bytes bigint not null,
  primary key (user_id, day)
);

-- How many rows of a large table are not removed, kept by what changes them: the count of a whole list then looks at a few
-- numbers instead of at every row. It is exact, and seen by each transaction as it sees the rows: changes are only added
-- here, so that nobody waits for anybody, and are summed up from time to time.
create table row_counts (
  id bigint generated always as identity primary key,
  table_name text not null,
  change bigint not null
);

-- Every step of every workflow: who took it, as whom, when, from which state to which, and why. Rows are only added.
-- No foreign keys: what happened outlives the record it happened to.
create table step_history (
  id integer generated always as identity primary key,
  -- Name of the workflow, and id of the record in the workflow's table.
  workflow text not null,
  record_id integer not null,
  at timestamptz not null default now(),
  -- Null: the system.
  actor_id integer,
  -- Who really sat there, when somebody acted for the actor.
  impersonator_id integer,
  action text not null,
  -- Null: the record began here.
  from_state text,
  to_state text not null,
  reason text
);
create index step_history_record on step_history (workflow, record_id, id);
create index step_history_at on step_history using brin (at);
create trigger append_only before update or delete on step_history
  for each row execute function refuse_step_change();
create trigger append_only_truncate before truncate on step_history
  for each statement execute function refuse_step_change();

-- Views of lists that people keep for themselves: a name, the query of the address, and the columns chosen with it. They
-- are there on every device, and end with the account.
create table saved_views (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- The list, as the browser names it.
  list text not null check (char_length(list) between 1 and 100),
  name text not null check (char_length(name) between 1 and 40 and name = btrim(name)),
  query text not null check (char_length(query) <= 4000),
  prefs jsonb,
  created_at timestamptz not null default now(),
  -- Taken off the list; the same name brings it back at its place.
  removed_at timestamptz,
  unique (user_id, list, name)
);

-- Permissions that the roles of the program were given or refused already. One that is not here came with a newer
-- program, and is given to them once; what a university changes afterwards stays as it is.
create table seeded_permissions (
  permission text primary key,
  seeded_at timestamptz not null default now()
);

-- Serial numbers without gaps: one row per series and period (a year, a term). Whoever takes the next number holds the row
-- until the end of the transaction, so that a number that was rolled back is the next one's, and two never get the same.

create table serial_numbers (
  series text not null,
  -- '2026', '2026-1'; empty where numbers go on for ever.
  period text not null,
  last integer not null constraint serial_numbers_last check (last > 0),
  primary key (series, period)
);
create trigger only_forward before insert or update or delete on serial_numbers
  for each row execute function refuse_serial_change();
create trigger only_forward_truncate before truncate on serial_numbers
  for each statement execute function refuse_serial_change();

-- Papers that were issued: what a person takes away and shows elsewhere. Each has a serial number, a code by which anybody
-- who holds it can ask whether it is genuine, and the file as it was issued, with its hash.

create table papers (
  id integer generated always as identity primary key,
  -- What it is (`transcript`), as its declaration names it, and the record it is about: `student` and the student's id.
  kind text not null,
  subject text not null,
  subject_id integer not null,
  lang text not null constraint papers_lang check (lang in ('ar', 'en')),
  serial text not null unique,
  -- What the QR code leads to: 100 random bits in the letters of Crockford's base 32.
  code text not null unique constraint papers_code check (code ~ '^[0-9A-HJKMNP-TV-Z]{20}$'),
  -- As they were on that day: names change, papers do not.
  title text not null,
  title_local text not null,
  holder text not null,
  holder_local text not null,
  -- [{label, label_local, value, value_local}], shown to who verifies it.
  facts jsonb not null,
  -- How much of it the holder lets be seen.
  disclosure text not null constraint papers_disclosure check (disclosure in ('everything', 'name', 'nothing')),
  file_id integer not null references files,
  sha256 text not null constraint papers_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
  issued_at timestamptz not null default now(),
  -- null: the program itself.
  issued_by integer references users,
  revoked_at timestamptz,
  revoked_by integer references users,
  revoked_reason text,
  constraint papers_revoked check ((revoked_at is null) = (revoked_reason is null))
);
create index papers_subject on papers (subject, subject_id, id desc);
create index papers_file on papers (file_id);
create index papers_issued_by on papers (issued_by);
create index papers_revoked_by on papers (revoked_by);
select audit_table('papers');
create trigger kept before update or delete on papers for each row execute function keep_paper();
create trigger kept_truncate before truncate on papers for each statement execute function keep_paper();
-- What is printed on an issued paper is kept with it.
select basis_goes_with('papers', 'paper_student');

-- How people are told: what each wants by which way, and the mails that wait.

-- What a person chose about one kind of notice; without a row its declaration counts.
create table notice_preferences (
  user_id integer not null references users on delete cascade,
  key text not null,
  app boolean not null,
  mail text not null constraint notice_preferences_mail check (mail in ('now', 'digest', 'off')),
  primary key (user_id, key)
);
select audit_table('notice_preferences');

-- When the daily summary comes (hour of the university's day), and the last day it came on.
create table digests (
  user_id integer primary key references users on delete cascade,
  hour smallint not null default 7 constraint digests_hour check (hour between 0 and 23),
  sent_on date
);

-- A mail waits here from the transaction that wants it until a job has handed it to the mail server.
create table notice_mails (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  key text not null,
  data jsonb not null default '{}',
  link text,
  way text not null constraint notice_mails_way check (way in ('now', 'digest')),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Times the mail server did not take it, and when to try again; null after the last time.
  failures smallint not null default 0,
  next_at timestamptz default now()
);
create index notice_mails_waiting on notice_mails (next_at) where sent_at is null and way = 'now';
create index notice_mails_digest on notice_mails (user_id) where sent_at is null and way = 'digest';
create index notice_mails_user on notice_mails (user_id);
create index notice_mails_created on notice_mails (created_at);

-- What `npm run backup` finished, for the screen that shows the state of the installation. Not the backup itself.
create table backups (
  id integer generated always as identity primary key,
  at timestamptz not null default now(),
  bytes bigint not null
);
create index backups_at on backups (at desc);

-- How long each kind of data is kept where a university says otherwise than the program, and what was erased.
create table retention_lengths (
  id integer generated always as identity primary key,
  kind text not null constraint retention_lengths_kind unique,
  -- null: for ever
  days integer constraint retention_lengths_days check (days > 0),
  set_by integer references users,
  set_at timestamptz not null default now(),
  -- Shorter than this is set by nobody, whoever writes.
  constraint retention_lengths_least check (days is null or days >= case kind
    when 'audit' then 1825 when 'students' then 3650 when 'tickets' then 365 when 'chats' then 90 else 1 end)
);
create index retention_lengths_set_by on retention_lengths (set_by);
select audit_table('retention_lengths');

create table retention_runs (
  id integer generated always as identity primary key,
  kind text not null,
  erased bigint not null,
  days integer not null,
  at timestamptz not null default now()
);
create index retention_runs_kind on retention_runs (kind, at desc);
select audit_table('retention_runs');

-- People of whom nothing is erased while it lasts: an enquiry, a lawsuit.
create table legal_holds (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  reason text not null,
  since timestamptz not null default now(),
  set_by integer references users,
  ended_at timestamptz,
  ended_by integer references users
);
create unique index legal_holds_one on legal_holds (user_id) where ended_at is null;
create index legal_holds_user on legal_holds (user_id);
create index legal_holds_set_by on legal_holds (set_by);
create index legal_holds_ended_by on legal_holds (ended_by);
select audit_table('legal_holds');

-- Contents of the file store to which no record refers yet, or none any more. Whoever puts one into the store notes it here
-- before it stands there; what nothing refers to when that time is over leaves the store.
create table held_contents (
  id bigint generated always as identity primary key,
  hash text not null constraint held_contents_hash check (hash ~ '^[0-9a-f]{64}$'),
  until timestamptz not null
);
create index held_contents_hash_idx on held_contents (hash);
create index held_contents_until_idx on held_contents (until);

-- A decision remembers what it stood on. Beside each decision that rests on facts which may still change stands what these
-- facts were; a change of a fact writes beside it what the fact is now, in the transaction of the change, whoever writes. A
-- decision is outdated exactly while one of its facts is another than it was; when the fact is again what it was, it is not.
--
-- A kind of fact NAME is two functions: `fact_NAME(ids) returns table (fact_id, value)` says what facts are now (no row: it is
-- not there any more), `hold_NAME(ids)` keeps them as they are until the transaction ends. Whatever changes such facts calls
-- `facts_changed('NAME', ids)` from a trigger, in sets.
create table decision_facts (
  -- What was decided (`credit`), and the id of its row.
  kind text not null,
  decision_id integer not null,
  -- What was looked at (`result`), and the id of its row.
  fact text not null,
  fact_id integer not null,
  stood jsonb not null,
  -- What it is now where that is something else; null: as it stood.
  now jsonb,
  since timestamptz,
  -- When people were told that it is outdated.
  told_at timestamptz,
  primary key (kind, decision_id, fact, fact_id),
  constraint decision_fact_since check ((now is null) = (since is null)),
  constraint decision_fact_differs check (now <> stood)
);
create index decision_facts_fact on decision_facts (fact, fact_id);
create index decision_facts_outdated on decision_facts (kind, decision_id) where now is not null;

-- What became of decisions that were outdated: renewed, kept as they were with a reason, or followed by themselves. Cannot be changed.
create table decision_steps (
  id integer generated always as identity primary key,
  kind text not null,
  decision_id integer not null,
  action text not null check (action in ('renewed', 'kept', 'followed')),
  reason text,
  -- What was outdated then: `fact`, `fact_id`, `stood`, `now` of each.
  changes jsonb not null,
  -- Null: the system.
  actor_id integer,
  impersonator_id integer,
  at timestamptz not null default now(),
  constraint decision_kept_reason check (action <> 'kept' or reason is not null)
);
create index decision_steps_of on decision_steps (kind, decision_id, id);
create trigger decision_steps_stand before update or delete on decision_steps for each row execute function refuse_decision_step_change();

-- Views ---------------------------------------------------------------------------------------------------------------

-- Every way by which somebody holds a right, whether it is in force today or not: `role` an assigned role, `kind` the role
-- that comes with being a student or an applicant, `entry` an access entry, `direct` a right of its own, `super` may do
-- everything (the permission is `*`). `grant_id` is the row of that way. What is asked for narrows each part by its index.
create view rights_paths as
  select a.user_id, 'role'::text as way, a.id as grant_id, a.role_id, p.permission, p.reach,
    case when p.reach = 'scope' then a.scope_type end as scope_type, case when p.reach = 'scope' then a.scope_id end as scope_id,
    a.valid_from, a.valid_to, a.created_at as since, a.created_by as given_by
  from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null join role_permissions p on p.role_id = r.id
  union all
  select u.id, 'kind', null, r.id, p.permission, p.reach, null, null, null, null, u.created_at, null
  from users u join roles r on r.key = case u.type when 3 then 'student' when 4 then 'applicant' end and r.removed_at is null
    join role_permissions p on p.role_id = r.id
  union all
  select e.user_id, 'entry', e.id, null, e.permission, 'scope', e.scope_type, e.scope_id, e.valid_from, e.valid_to, e.created_at, e.created_by
  from access_entries e
  union all
  select d.user_id, 'direct', d.id, null, d.permission, 'scope', null, null, null, null, d.created_at, d.created_by
  from user_permissions d
  union all
  select u.id, 'super', null, null, '*', 'scope', null, null, null, null, u.created_at, null
  from users u where u.is_super_admin or u.is_root;

-- Objects laid over each other in the order given: the later one wins.
create aggregate merge_objects(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}', parallel = safe);

-- Room in the trail for this month and those to come.
select ensure_audit_partitions(3);
select ensure_security_log_months(3, 24);

-- What the program and other functions call.
install function audit_log_over, create_lookup, erase_audit_month, facts_now, hold_content, in_maintenance, is_held,
  keep_basis, one_code_in_any_case, take_serial, take_serials, search_pattern;
