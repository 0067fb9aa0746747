-- The address that a student gives as the own one waits here, and comes into the record once the link that was sent there is
-- opened: what is answered says nothing of whether it is somebody else's. One waits at a time.
create table student_addresses (
  student_id integer primary key references students on delete cascade,
  -- Who asked for it, and in whose name it is written.
  user_id integer not null references users on delete cascade,
  impersonator_id integer references users on delete cascade,
  email text not null,
  language text not null constraint student_addresses_language check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  -- Of the link, made when the mail is written; null until then, and where none was sent.
  token_hash bytea unique,
  expires_at timestamptz not null
);
create index student_addresses_user on student_addresses (user_id);
create index student_addresses_impersonator on student_addresses (impersonator_id);
create index student_addresses_expires_at on student_addresses (expires_at);
