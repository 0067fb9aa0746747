-- What a student lets a parent or sponsor see of the own study, until a day.
create table record_shares (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  -- Who it is, in the student's words, and where links are sent: an account of the university is not needed, nor made.
  name text not null constraint record_shares_name check (char_length(name) between 1 and 80),
  email text not null constraint record_shares_email check (email = lower(email)),
  language text not null constraint record_shares_language check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  parts text[] not null constraint record_shares_parts
    check (cardinality(parts) > 0 and parts <@ array['timetable', 'registration', 'grades']),
  last_day date not null,
  ended_at timestamptz,
  ended_why text constraint record_shares_why check (ended_why in ('student', 'staff', 'blocked', 'left', 'over')),
  created_at timestamptz not null default now(),
  constraint record_shares_end check ((ended_at is null) = (ended_why is null))
);
create unique index share_twice on record_shares (student_id, email) where ended_at is null;
create index record_shares_email_idx on record_shares (email) where ended_at is null;
select audit_table('record_shares');

-- Links by which an address is opened, once. Only hashes are kept, as of everything here that opens something.
create table share_links (
  token_hash bytea primary key,
  email text not null,
  expires_at timestamptz not null
);
create index share_links_expires_at_idx on share_links (expires_at);
-- A browser of somebody to whom something is shown. It is no session of the university: nothing else knows it.
create table share_visits (
  token_hash bytea primary key,
  email text not null,
  expires_at timestamptz not null
);
create index share_visits_expires_at_idx on share_visits (expires_at);

-- Whose record is closed, or who leaves, shows nothing any more, whoever writes it.
create function end_shares_of_student() returns trigger language plpgsql as $$
begin
  if new.removed_at is not null or new.blocked_at is not null or new.status not in ('studying', 'suspended') then
    update record_shares set ended_at = now(), ended_why = case when new.blocked_at is not null then 'blocked' else 'left' end
    where student_id = new.id and ended_at is null;
  end if;
  return null;
end $$;
create trigger end_shares after update of status, blocked_at, removed_at on students
  for each row execute function end_shares_of_student();
create function end_shares_of_user() returns trigger language plpgsql as $$
begin
  if new.removed_at is not null or new.blocked_at is not null then
    update record_shares r set ended_at = now(), ended_why = case when new.blocked_at is not null then 'blocked' else 'left' end
    from students t where t.id = r.student_id and t.user_id = new.id and r.ended_at is null;
  end if;
  return null;
end $$;
create trigger end_shares after update of blocked_at, removed_at on users
  for each row execute function end_shares_of_user();
