-- Staff and their accounts: who teaches, who stands in for whom, how people sign in, what they tell each other.

install function refuse_email_of_another, name_account_by_record, search_text_of_person, refuse_emails_of_others,
  one_telephone_of_records, notify_delegation_changed, refuse_no_employee, keep_a_super_admin, search_text_of_account,
  refuse_circle_of_managers, one_telephone_of_accounts;

-- Instructors and students. A person signs in as a row of users; these are what the person is at the university.

create table instructors (
  id integer generated always as identity primary key,
  user_id integer unique references users,
  code text not null,
  name text not null,
  name_local text not null,
  academic_title text check (academic_title in ('professor', 'associate_professor', 'lecturer', 'assistant_lecturer', 'demonstrator', 'expert')),
  faculty_id integer not null,
  department_id integer,
  email text,
  phone text,
  gender smallint check (gender in (1, 2)),
  national_id text check (national_id ~ '^\d{14}$'),
  -- Advises students: at most this many; null: is no advisor.
  max_advised integer check (max_advised between 0 and 10000),
  search_text text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
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
  -- What an instructor has learnt, and where he or she is found.
  degree text check (degree in ('doctorate', 'master', 'diploma', 'bachelor')),
  specialty text,
  specialty_local text,
  office_id integer,
  constraint instructors_code_key unique (code)
);
create index instructors_faculty on instructors (faculty_id);
create index instructors_department on instructors (department_id);
create index instructors_email on instructors (lower(email)) where email is not null;
create unique index instructors_code_in_any_case on instructors (lower(code));
create index instructors_office on instructors (office_id);
select audit_table('instructors');
create trigger email_lock_insert before insert on instructors for each statement execute function lock_emails();
create trigger email_lock_update before update of email, removed_at on instructors for each statement
  execute function lock_emails();
create trigger email_update before update of email, removed_at on instructors
  for each row when (new.email is not null and new.removed_at is null and (lower(new.email) is distinct from lower(old.email) or old.removed_at is not null))
  execute function refuse_email_of_another();
create trigger keep_name_parts_insert before insert on instructors
  for each row when (new.given_name is not null or new.given_name_local is not null)
  execute function keep_name_parts();
create trigger keep_name_parts before update of name, name_local, given_name, father_name, grandfather_name,
  family_name, given_name_local, father_name_local, grandfather_name_local, family_name_local on instructors
  for each row execute function keep_name_parts();
create trigger name_account after update of name, name_local, given_name, father_name, grandfather_name, family_name,
  given_name_local, father_name_local, grandfather_name_local, family_name_local, used_name, used_name_local
  on instructors
  for each row when (new.user_id is not null and (old.name, old.name_local, old.given_name, old.father_name, old.grandfather_name, old.family_name, old.given_name_local, old.father_name_local, old.grandfather_name_local, old.family_name_local, old.used_name, old.used_name_local) is distinct from (new.name, new.name_local, new.given_name, new.father_name, new.grandfather_name, new.family_name, new.given_name_local, new.father_name_local, new.grandfather_name_local, new.family_name_local, new.used_name, new.used_name_local))
  execute function name_account_by_record();
create trigger search_text before insert or update of code, name, name_local, used_name, used_name_local, search_text
  on instructors for each row execute function search_text_of_person();
create trigger email_insert after insert on instructors referencing new table as new_rows
  for each statement execute function refuse_emails_of_others();
create trigger one_telephone_of_new after insert on instructors
  referencing new table as new_rows for each statement execute function one_telephone_of_records();
create trigger one_telephone after update on instructors
  referencing old table as old_rows new table as new_rows for each statement execute function one_telephone_of_records();

-- Who stands in for whom while somebody is away: named rights, for some days, with a reason. What the person does not hold
-- on the day is not delegated either.
create table delegations (
  id integer generated always as identity primary key,
  from_user_id integer not null references users on delete cascade,
  to_user_id integer not null references users on delete cascade,
  permissions text[] not null constraint delegations_permissions check (cardinality(permissions) between 1 and 500),
  -- Days, both included.
  from_date date not null,
  until_date date not null,
  reason text not null,
  -- Taken back before its time.
  ended_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint delegations_people check (from_user_id <> to_user_id),
  constraint delegations_days check (until_date between from_date and from_date + 366)
);
create index delegations_from_user on delegations (from_user_id);
create index delegations_to_user on delegations (to_user_id);
select audit_table('delegations');
create trigger rights_changed after update or delete on delegations
  for each row execute function notify_delegation_changed();

-- Reviews of rights, and whose record was looked at.

-- A review asks of every right that somebody was given whether it is still needed.
create table rights_reviews (
  id integer generated always as identity primary key,
  name text not null,
  name_local text not null,
  -- The last day to decide. What is not decided then is told to those who review, and taken from nobody.
  until_date date not null,
  closed_at timestamptz,
  told_at timestamptz,
  created_by integer references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index rights_reviews_created_by on rights_reviews (created_by);
select audit_table('rights_reviews');

create table rights_review_rows (
  id integer generated always as identity primary key,
  review_id integer not null references rights_reviews on delete cascade,
  user_id integer not null references users on delete cascade,
  -- As it was when the review began; `grant_id` is the row of an assigned role, an entry or a single right, else the account.
  way text not null constraint rights_review_rows_way check (way in ('role', 'entry', 'direct', 'super')),
  grant_id integer not null,
  role_id integer references roles on delete set null,
  permission text,
  scope_type text,
  scope_id integer,
  valid_from date,
  valid_to date,
  given_at timestamptz not null,
  given_by integer references users on delete set null,
  decision text constraint rights_review_rows_decision check (decision in ('confirmed', 'revoked')),
  decided_by integer references users on delete set null,
  decided_at timestamptz,
  note text,
  constraint rights_review_rows_once unique (review_id, way, grant_id),
  constraint rights_review_rows_decided check ((decision is null) = (decided_at is null))
);
create index rights_review_rows_user on rights_review_rows (user_id);
create index rights_review_rows_role on rights_review_rows (role_id);
create index rights_review_rows_given_by on rights_review_rows (given_by);
create index rights_review_rows_decided_by on rights_review_rows (decided_by);
create index rights_review_rows_open on rights_review_rows (review_id) where decision is null;
select audit_table('rights_review_rows');

create table totp_secrets (
  user_id integer primary key references users on delete cascade,
  -- Both encrypted, and bound to the person.
  secret bytea,
  -- Shown, but no code of it was given yet: it does not count.
  pending bytea,
  -- The half minute of the last code that was taken: no code works twice, in whichever process it is given.
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint totp_secrets_some check (secret is not null or pending is not null)
);

create table recovery_codes (
  user_id integer not null references users on delete cascade,
  -- Keyed: a copy of this table opens nothing.
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);

-- Somebody who has shown a first factor and has to show the second one. Only a hash of the ticket is kept.
create table sign_in_steps (
  ticket_hash bytea primary key,
  user_id integer not null references users on delete cascade,
  signed_in_by text not null constraint sign_in_steps_signed_in_by check (signed_in_by in ('password', 'link', 'provider')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  provider_login_id integer
);
create index sign_in_steps_user_id_idx on sign_in_steps (user_id);
create index sign_in_steps_expires_at_idx on sign_in_steps (expires_at);
create index sign_in_steps_provider_login on sign_in_steps (provider_login_id) where provider_login_id is not null;

-- Single sign-on: which identity at a provider is whose account.
create table identities (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  issuer text not null,
  -- The provider's own name of the person, which never becomes another's; an e-mail address may.
  subject text not null,
  -- As the provider told it when it was linked, so that the person knows it again.
  email text,
  linked_by text not null constraint identities_linked_by check (linked_by in ('email', 'person', 'code')),
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint identities_subject unique (issuer, subject),
  constraint identities_user unique (user_id, issuer)
);
select audit_table('identities', array['last_used_at']);

-- Somebody who was sent to the provider and has not come back yet.
create table provider_sign_ins (
  state_hash bytea primary key,
  -- The browser that was sent: only it may come back.
  browser_hash bytea not null,
  nonce text not null,
  verifier text,
  -- Who links an identity to the own account; null: somebody signs in.
  user_id integer references users on delete cascade,
  expires_at timestamptz not null,
  -- Single sign-on by SAML 2.0, beside OpenID Connect.
  -- Which protocol somebody is away with, and what it keeps meanwhile: `nonce` is the id of the request for SAML.
  protocol text not null default 'oidc' constraint provider_sign_ins_protocol check (protocol in ('oidc', 'saml'))
);
create index provider_sign_ins_user_id_idx on provider_sign_ins (user_id) where user_id is not null;
create index provider_sign_ins_expires_at_idx on provider_sign_ins (expires_at);

-- Words that staff put on records to find them again. A table that joins a kind of record with tags makes it one that can
-- have them.
create table tags (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  colour text not null default 'grey'
    check (colour in ('grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink')),
  constraint tags_code_key unique (code)
);
create unique index tags_code_in_any_case on tags (lower(code));
select audit_table('tags');

-- Who answers tickets, and how soon. Hours are working hours.
create table ticket_groups (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  parent_id integer references ticket_groups,
  opens time not null default '09:00',
  closes time not null default '15:00',
  response_hours integer not null default 4 check (response_hours between 1 and 1000),
  resolution_hours integer not null default 24 check (resolution_hours between 1 and 1000),
  -- The week in which a group works. The function of four arguments stays for programs that run while this one starts.
  week text not null default 'sun_thu' check (week in ('sun_thu', 'sat_thu', 'sat_wed', 'mon_fri', 'every_day')),
  constraint ticket_groups_code_key unique (code),
  constraint ticket_group_hours check (opens < closes),
  constraint ticket_group_parent_itself check (parent_id <> id)
);
create index ticket_groups_parent on ticket_groups (parent_id);
create unique index ticket_groups_code_in_any_case on ticket_groups (lower(code));
select audit_table('ticket_groups');

create table ticket_group_members (
  group_id integer not null references ticket_groups on delete cascade,
  user_id integer not null references users,
  created_at timestamptz not null default now(),
  primary key (group_id, user_id)
);
create index ticket_group_members_user on ticket_group_members (user_id, group_id);
select audit_table('ticket_group_members');

create table tickets (
  id integer generated always as identity primary key,
  number text not null unique,
  group_id integer not null references ticket_groups,
  asker_id integer not null references users,
  type text not null check (type in ('question', 'problem', 'request', 'complaint', 'suggestion')),
  subject text not null,
  status text not null default 'open' check (status in ('open', 'in_progress', 'waiting', 'resolved', 'closed', 'reopened')),
  responded_at timestamptz,
  resolved_at timestamptz,
  merged_into_id integer references tickets,
  score smallint check (score between 1 and 5),
  score_comment text,
  search_text text generated always as (fold_text(number || ' ' || subject)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tickets_merged_itself check (merged_into_id <> id),
  constraint tickets_merged_closed check (merged_into_id is null or status = 'closed')
);
create index tickets_group on tickets (group_id, status);
create index tickets_asker on tickets (asker_id);
create index tickets_search on tickets using gin (search_text gin_trgm_ops);
create index tickets_merged on tickets (merged_into_id) where merged_into_id is not null;
create index tickets_ended on tickets (updated_at) where status in ('resolved', 'closed');
select audit_table('tickets');

-- Replies, and notes that stay among who answers. What they say stands here alone: it is never changed, and the audit trail,
-- which more people read, keeps only that it was said.
create table ticket_messages (
  id integer generated always as identity primary key,
  ticket_id integer not null references tickets,
  author_id integer not null references users,
  internal boolean not null default false,
  body text not null,
  client_key uuid not null,
  created_at timestamptz not null default now(),
  constraint ticket_messages_once unique (author_id, client_key)
);
create index ticket_messages_ticket on ticket_messages (ticket_id, id);
select audit_table('ticket_messages', array['body']);

create table ticket_files (
  file_id integer primary key references files,
  message_id integer not null references ticket_messages
);
create index ticket_files_message on ticket_files (message_id);
select audit_table('ticket_files');

-- Conversations of two people, or of a group that has a name.
create table chats (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('direct', 'group')),
  name text,
  -- The two people, the smaller id first: a conversation of two is one, whoever begins it.
  direct_key text constraint chats_direct_once unique,
  created_by integer not null references users,
  -- The newest message: by it lists are in order, and what is unread is known.
  last_message_id integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint chats_shape check ((kind = 'direct') = (direct_key is not null) and (kind = 'group') = (name is not null))
);
select audit_table('chats', array['last_message_id']);

-- Who takes part. Who has left reads what was said until then, and nothing of what comes.
create table chat_members (
  chat_id integer not null references chats,
  user_id integer not null references users,
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  -- The newest message when the person left.
  left_after integer,
  -- The newest message when the person was added: what was said before stays among those who were there.
  joined_after integer not null default 0,
  -- Messages of the times between leaving and being added again: they stay among those who were there.
  missed int4multirange not null default '{}',
  read_to integer not null default 0,
  muted boolean not null default false,
  primary key (chat_id, user_id),
  check ((left_at is null) = (left_after is null))
);
create index chat_members_user on chat_members (user_id, chat_id);
select audit_table('chat_members', array['read_to']);

-- What is said stands here alone: it is never changed, and the audit trail keeps only that it was said.
create table chat_messages (
  id integer generated always as identity primary key,
  chat_id integer not null references chats,
  author_id integer not null references users,
  body text not null,
  client_key uuid not null,
  search_text text generated always as (fold_text(body)) stored,
  created_at timestamptz not null default now(),
  constraint chat_messages_once unique (author_id, client_key)
);
create index chat_messages_chat on chat_messages (chat_id, id);
create index chat_messages_at on chat_messages (created_at);
select audit_table('chat_messages', array['body', 'search_text']);

create table chat_files (
  file_id integer primary key references files,
  message_id integer not null references chat_messages
);
create index chat_files_message on chat_files (message_id);
select audit_table('chat_files');

-- Passkeys: keys that a device keeps for this site alone, and gives only to who unlocks it.
create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- As the device knows it; one device's key is one account's.
  credential_id bytea not null constraint passkeys_credential unique,
  public_key bytea not null,
  -- How often the device says that it was used; devices that keep it in step with others always say 0.
  counter bigint not null default 0,
  -- How a browser reaches the device: usb, nfc, internal, …
  transports text[] not null default '{}',
  name text not null constraint passkeys_name check (char_length(name) between 1 and 60),
  -- Kept in step with other devices of the person.
  synced boolean not null default false,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index passkeys_user_id_idx on passkeys (user_id);
select audit_table('passkeys', array['last_used_at', 'counter', 'public_key', 'credential_id']);

-- What a device is asked to sign, once, for the browser that asked. Only hashes are kept.
create table passkey_challenges (
  challenge_hash bytea primary key,
  browser_hash bytea not null,
  purpose text not null constraint passkey_challenges_purpose check (purpose in ('sign_in', 'second', 'prove', 'add')),
  -- Who is asked; null: whoever signs in.
  user_id integer references users on delete cascade,
  expires_at timestamptz not null,
  constraint passkey_challenges_who check ((user_id is null) = (purpose = 'sign_in'))
);
create index passkey_challenges_user_id_idx on passkey_challenges (user_id) where user_id is not null;
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);

-- What the provider's page brought, already checked, until the browser comes for it: a page of another site sends no
-- cookies along, so that the browser is known only at the next step. One row works once.
create table provider_answers (
  answer_hash bytea primary key,
  -- Whose request it answers; null: nobody was sent there.
  state_hash bytea,
  -- Who it is, as the provider says; null where it was refused, for these reasons.
  identity jsonb,
  refused jsonb,
  expires_at timestamptz not null,
  constraint provider_answers_one check ((identity is null) <> (refused is null))
);
create index provider_answers_expires_at_idx on provider_answers (expires_at);

-- Assertions that were taken, by issuer and id: none is taken twice, in whichever process.
create table saml_assertions (
  assertion_hash bytea primary key,
  expires_at timestamptz not null
);
create index saml_assertions_expires_at_idx on saml_assertions (expires_at);

-- Which attribute of a provider tells what. Null: the identity is the NameID; the others are not told.
create table saml_mappings (
  id integer generated always as identity primary key,
  issuer text not null constraint saml_mappings_issuer unique,
  identity text,
  email text,
  code text,
  -- Until when attributes of who signs in are kept for whoever sets this up.
  watched_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select audit_table('saml_mappings');

-- What came of who signed in while somebody watched: an hour, for who sets it up.
create table saml_samples (
  id integer generated always as identity primary key,
  issuer text not null,
  name_id text,
  name_id_format text,
  attributes jsonb not null,
  at timestamptz not null default now()
);
create index saml_samples_at_idx on saml_samples (at);

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

-- Texts that answer what is asked often, for a group and the groups beneath it, or for all.
create table answer_texts (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  group_id integer references ticket_groups,
  text text not null,
  text_local text not null,
  constraint answer_texts_code_key unique (code)
);
create index answer_texts_group on answer_texts (group_id);
create unique index answer_texts_code_in_any_case on answer_texts (lower(code));
select audit_table('answer_texts');

-- Signing out at the provider of SAML and here is one act: whom it named when somebody came in, so that it can name the same
-- person when the session there ends, and we when it ends here.
create table provider_logins (
  id integer generated always as identity primary key,
  issuer text not null,
  name_id text not null,
  name_id_format text,
  name_qualifier text,
  sp_name_qualifier text,
  session_index text,
  at timestamptz not null default now()
);
create index provider_logins_name on provider_logins (issuer, name_id);
create index provider_logins_at on provider_logins (at);
alter table sign_in_steps add constraint sign_in_steps_provider_login_id_fkey
  foreign key (provider_login_id) references provider_logins on delete cascade;

-- What an employee is at the university: number, job, where, under whom, and the contracts.
create table job_titles (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint job_titles_code_key unique (code)
);
create unique index job_titles_code_in_any_case on job_titles (lower(code));
select audit_table('job_titles');

create table employee_contracts (
  id integer generated always as identity primary key,
  employee_id integer not null references users on delete cascade,
  kind text not null check (kind in ('permanent', 'fixed_term', 'part_time', 'secondment', 'temporary')),
  from_date date not null,
  -- Null: without an end.
  to_date date,
  -- The last day of which people were told beforehand, and on the day itself.
  told_of date,
  told_ended date,
  constraint contract_ends_before_begin check (to_date >= from_date),
  constraint contract_end_needed check (kind not in ('fixed_term', 'secondment', 'temporary') or to_date is not null),
  constraint contracts_overlap exclude using gist (employee_id with =, daterange(from_date, to_date, '[]') with &&) deferrable
);
create index employee_contracts_employee on employee_contracts (employee_id);
create index employee_contracts_ending on employee_contracts (to_date) where to_date is not null;
select audit_rows('employee_contracts', 'employee_id');
create trigger refuse_no_employee before insert or update of employee_id on employee_contracts
  for each row execute function refuse_no_employee();

-- What happens here when rows of other wings change -----------------------------------------------------------------

create trigger email_update before update of email, removed_at on users
  for each row when (new.email is not null and new.removed_at is null and (lower(new.email) is distinct from lower(old.email) or old.removed_at is not null))
  execute function refuse_email_of_another();
create trigger keep_a_super_admin after update of is_super_admin, is_root, blocked_at, removed_at on users
  for each row when ((old.is_super_admin or old.is_root) and old.removed_at is null and old.blocked_at is null
    and not ((new.is_super_admin or new.is_root) and new.removed_at is null and new.blocked_at is null))
  execute function keep_a_super_admin();
create trigger search_text before insert or update of code, email, name, name_local, used_name, used_name_local,
  search_text on users for each row execute function search_text_of_account();
create trigger email_insert after insert on users referencing new table as new_rows
  for each statement execute function refuse_emails_of_others();
create trigger refuse_circle_of_managers before insert or update of manager_id on users
  for each row when (new.manager_id <> new.id) execute function refuse_circle_of_managers();
create trigger one_telephone after update on users
  referencing old table as old_rows new table as new_rows for each statement execute function one_telephone_of_accounts();

-- What points to tables that come after it ---------------------------------------------------------------------------

alter table users add constraint users_job_title_id_fkey foreign key (job_title_id) references job_titles;
alter table sessions add constraint sessions_delegation_id_fkey
  foreign key (delegation_id) references delegations on delete cascade;
alter table sessions add constraint sessions_provider_login_id_fkey
  foreign key (provider_login_id) references provider_logins on delete set null;

-- Views ---------------------------------------------------------------------------------------------------------------

-- Which messages are for whom: what was said while the person took part.
create view readable_chat_messages as
  select k.user_id, k.read_to, m.id, m.chat_id, m.author_id, m.body, m.search_text, m.created_at
  from chat_members k join chat_messages m on m.chat_id = k.chat_id and m.id > k.joined_after
    and (k.left_after is null or m.id <= k.left_after) and not k.missed @> m.id;

-- What the program and other functions call.
install function contract_ends_on, working_minutes;
