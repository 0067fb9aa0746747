-- Provisioning from a directory by SCIM 2.0.

create table scim_directories (
  id integer generated always as identity primary key,
  name text not null constraint scim_directories_name check (btrim(name) <> ''),
  -- Kinds of accounts that it makes and changes: 1 instructors, 2 employees, 3 students. The first is what it makes unless it says.
  kinds smallint[] not null constraint scim_directories_kinds
    check (cardinality(kinds) > 0 and kinds <@ array[1, 2, 3]::smallint[]),
  ended_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select audit_table('scim_directories');

-- By what a directory shows itself. Several hold at once, to change them; only a hash is kept.
create table scim_tokens (
  id integer generated always as identity primary key,
  directory_id integer not null references scim_directories on delete cascade,
  token_hash bytea not null constraint scim_tokens_hash unique,
  -- The last characters, so that people know which it is.
  hint text not null,
  -- Who made it: a directory gives nothing that this person could not give.
  created_by integer not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index scim_tokens_directory_id_idx on scim_tokens (directory_id);
create index scim_tokens_created_by_idx on scim_tokens (created_by);
select audit_table('scim_tokens', array['last_used_at']);

-- How a directory calls the accounts it knows.
create table scim_people (
  directory_id integer not null references scim_directories on delete cascade,
  user_id integer not null references users on delete cascade,
  external_id text,
  user_name text not null,
  given_name text,
  family_name text,
  display_name text,
  -- It deleted the account: that is blocked, and is not there for it until it makes it again.
  deleted_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (directory_id, user_id)
);
create unique index scim_people_external_id on scim_people (directory_id, external_id) where deleted_at is null;
create unique index scim_people_user_name on scim_people (directory_id, lower(user_name)) where deleted_at is null;
create index scim_people_user_id_idx on scim_people (user_id);
select audit_table('scim_people');

create table scim_groups (
  id integer generated always as identity primary key,
  directory_id integer not null references scim_directories on delete cascade,
  external_id text,
  name text not null,
  -- The role that its members hold, where an administrator has said so.
  role_id integer references roles on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index scim_groups_name on scim_groups (directory_id, lower(name));
create unique index scim_groups_external_id on scim_groups (directory_id, external_id);
create index scim_groups_role_id_idx on scim_groups (role_id);
select audit_table('scim_groups');

create table scim_members (
  group_id integer not null references scim_groups on delete cascade,
  user_id integer not null references users on delete cascade,
  primary key (group_id, user_id)
);
create index scim_members_user_id_idx on scim_members (user_id);
select audit_table('scim_members');

-- Roles that a directory has given: what somebody holds by hand is not its own to take.
create table scim_grants (
  role_assignment_id integer primary key references role_assignments on delete cascade,
  directory_id integer not null references scim_directories on delete cascade,
  user_id integer not null references users on delete cascade,
  role_id integer not null references roles on delete cascade
);
create index scim_grants_user_id_idx on scim_grants (user_id, directory_id);
create index scim_grants_directory_id_idx on scim_grants (directory_id);
create index scim_grants_role_id_idx on scim_grants (role_id);
