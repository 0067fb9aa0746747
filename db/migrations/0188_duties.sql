-- Duties of interns: the kinds of a training, rosters of some days, who is on duty when, and swaps between two.
select create_lookup('duty_kinds');
alter table duty_kinds
  add column training_id integer not null references emtyaz_trainings,
  add column part text not null check (part in ('day', 'evening', 'night')),
  add column from_time time not null,
  add column to_time time not null,
  add column interns smallint not null check (interns between 1 and 50),
  add constraint duty_kind_times check (from_time <> to_time);
create index duty_kinds_training on duty_kinds (training_id);
install function duty_starts, duty_ends;

create table duty_rosters (
  id integer generated always as identity primary key,
  training_id integer not null references emtyaz_trainings,
  starts_on date not null,
  ends_on date not null,
  status text not null default 'draft' check (status in ('draft', 'published')),
  drawn_at timestamptz not null default now(),
  published_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint duty_roster_days check (ends_on >= starts_on and ends_on - starts_on < 92),
  constraint duty_roster_twice exclude using gist (training_id with =, daterange(starts_on, ends_on, '[]') with &&) where (removed_at is null),
  constraint duty_roster_of unique (id, training_id)
);
select audit_table('duty_rosters');

create table duty_shifts (
  id integer generated always as identity primary key,
  roster_id integer not null references duty_rosters on delete cascade,
  kind_id integer not null references duty_kinds,
  student_id integer not null references students,
  day date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Eleven hours lie between two duties of one intern, whoever writes.
  rests_until timestamptz not null,
  version integer not null default 1,
  constraint duty_shift_times check (ends_at > starts_at and ends_at <= starts_at + interval '26 hours'
    and rests_until = ends_at + interval '11 hours'),
  constraint duty_shift_twice unique (kind_id, day, student_id) deferrable initially deferred,
  constraint duty_rest exclude using gist (student_id with =, tstzrange(starts_at, rests_until) with &&) deferrable initially deferred
);
create index duty_shifts_roster on duty_shifts (roster_id, day);
create index duty_shifts_student on duty_shifts (student_id, starts_at);
select audit_rows('duty_shifts', 'roster_id');

-- Days on which an intern would rather be free.
create table duty_wishes (
  student_id integer not null references students,
  day date not null,
  primary key (student_id, day)
);
-- Who supervises a duty.
create table duty_supervisors (
  id integer generated always as identity primary key,
  kind_id integer not null references duty_kinds,
  day date not null,
  instructor_id integer not null references instructors,
  constraint duty_supervisor_twice unique (kind_id, day, instructor_id)
);
create index duty_supervisors_instructor on duty_supervisors (instructor_id);
select audit_rows('duty_supervisors', 'kind_id');
install function on_duty_in_training;

create table duty_swaps (
  id integer generated always as identity primary key,
  shift_id integer not null references duty_shifts on delete cascade,
  with_shift_id integer not null references duty_shifts on delete cascade,
  student_id integer not null references students,
  other_id integer not null references students,
  training_id integer not null references emtyaz_trainings,
  why text check (char_length(why) between 1 and 500),
  status text not null default 'requested' check (status in ('requested', 'agreed', 'accepted', 'rejected', 'cancelled')),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint duty_swap_others check (student_id <> other_id and shift_id <> with_shift_id)
);
create unique index duty_swap_waits on duty_swaps (shift_id) where status in ('requested', 'agreed') and removed_at is null;
create index duty_swaps_with on duty_swaps (with_shift_id);
create index duty_swaps_student on duty_swaps (student_id);
create index duty_swaps_other on duty_swaps (other_id);
create index duty_swaps_training on duty_swaps (training_id, status);
select audit_table('duty_swaps');
