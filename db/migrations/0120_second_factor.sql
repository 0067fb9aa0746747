-- A second factor at sign-in: codes of an authenticator app, and codes for the day it is lost.

-- Since when the account has one: kept with the account, so that the trail tells who set it up and who took it away.
alter table users add second_factor_at timestamptz;
-- Whoever holds the role signs in with a second factor, or not at all.
alter table roles add second_factor boolean not null default false;

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
  expires_at timestamptz not null
);
create index sign_in_steps_user_id_idx on sign_in_steps (user_id);
create index sign_in_steps_expires_at_idx on sign_in_steps (expires_at);

-- How somebody came in; null: a session from before this was kept.
alter table sessions
  add signed_in_by text constraint sessions_signed_in_by check (signed_in_by in ('password', 'link', 'provider', 'passkey')),
  add second_factor text constraint sessions_second_factor check (second_factor in ('code', 'recovery_code', 'passkey'));

-- The log knows one kind more. What stands in it already is of the kinds it knew: it is not read again for this.
alter table security_log drop constraint security_log_kind;
alter table security_log add constraint security_log_kind check (kind in (
  'sign_in', 'sign_in_failed', 'sign_out', 'session_ended', 'password_asked', 'password_changed', 'proof_failed',
  'log_in_as', 'log_in_as_ended', 'export', 'read', 'rights', 'refused', 'second_factor')) not valid;
