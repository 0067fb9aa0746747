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
