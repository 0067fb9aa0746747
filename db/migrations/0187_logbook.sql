-- Logbooks of interns: what is to be seen, assisted in and done in a course of the internship year, and what was.
select create_lookup('logbook_types');
alter table logbook_types
  add column course_id integer not null references emtyaz_courses,
  add column kind text not null check (kind in ('procedure', 'case')),
  add column min_observed smallint not null default 0 check (min_observed between 0 and 500),
  add column min_assisted smallint not null default 0 check (min_assisted between 0 and 500),
  add column min_done smallint not null default 0 check (min_done between 0 and 500);
create index logbook_types_course on logbook_types (course_id);

create table logbook_entries (
  id integer generated always as identity primary key,
  -- Made by the phone: an entry that is sent twice is stored once.
  uuid uuid not null constraint logbook_entry_twice unique,
  student_id integer not null references students,
  rotation_id integer not null references emtyaz_rotations,
  type_id integer not null references logbook_types,
  role text not null check (role in ('observed', 'assisted', 'done')),
  done_at timestamptz not null,
  note text check (char_length(note) <= 1000),
  -- Counted by the phone with every change.
  revision smallint not null default 1 check (revision >= 1),
  -- When it was typed, as the phone's clock says, and by how many seconds that clock was ahead of ours when it was sent.
  phone_at timestamptz not null,
  clock_ahead integer not null default 0,
  received_at timestamptz not null default now(),
  status text not null default 'entered' check (status in ('entered', 'confirmed', 'rejected')),
  confirmed_by_id integer references instructors,
  confirmed_at timestamptz,
  confirmed_how text check (confirmed_how in ('list', 'code', 'pin')),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint logbook_entry_confirmed check ((status = 'confirmed') = (confirmed_by_id is not null)
    and num_nonnulls(confirmed_by_id, confirmed_at, confirmed_how) in (0, 3) and (status <> 'confirmed' or removed_at is null))
);
create index logbook_entries_student on logbook_entries (student_id, done_at desc);
create index logbook_entries_rotation on logbook_entries (rotation_id);
create index logbook_entries_type on logbook_entries (type_id);
create index logbook_entries_waiting on logbook_entries (received_at) where status = 'entered' and removed_at is null;
create index logbook_entries_confirmed_by_id on logbook_entries (confirmed_by_id) where confirmed_by_id is not null;
select audit_table('logbook_entries');
-- What was confirmed is not changed, whoever writes.
install function guard_logbook_entry;
create trigger confirmed before update of student_id, rotation_id, type_id, role, done_at, note on logbook_entries
  for each row when (old.status = 'confirmed' and new.status = 'confirmed') execute function guard_logbook_entry();

-- By which a supervisor confirms on the phone of an intern: only the digest.
create table logbook_pins (
  instructor_id integer primary key references instructors,
  pin_hash text not null,
  set_at timestamptz not null default now()
);
