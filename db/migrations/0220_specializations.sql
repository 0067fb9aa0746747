-- Specialisation: where students of a general program may go on, the windows in which they put their wishes in order, what a
-- distribution came to, and who was given which program.

-- A way from a general program into a program, with the places and conditions that windows begin with.
create table specializations (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  bylaw_id integer not null references bylaws,
  general_program_id integer not null references programs,
  program_id integer not null references programs,
  capacity integer not null check (capacity between 0 and 100000),
  min_gpa numeric(3, 2) check (min_gpa between 0 and 4),
  min_passed_hours numeric(6, 2) check (min_passed_hours between 0 and 300),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specializations_code_key unique (code),
  constraint specializations_elsewhere check (general_program_id <> program_id)
);
-- Two ways into one program may differ in places and conditions: they have two names.
create unique index specialization_twice on specializations (general_program_id, program_id, fold_text(name)) where removed_at is null;
create index specializations_bylaw on specializations (bylaw_id);
create index specializations_program on specializations (program_id);
select audit_table('specializations');

-- Courses that must be passed, some with a grade.
create table specialization_courses (
  id integer generated always as identity primary key,
  specialization_id integer not null references specializations on delete cascade,
  position smallint not null,
  course_id integer not null references courses,
  -- A letter of the bylaw; null: passed is enough.
  min_letter text,
  constraint specialization_course_twice unique (specialization_id, course_id) deferrable
);
create index specialization_courses_course on specialization_courses (course_id);
select audit_rows('specialization_courses', 'specialization_id');

-- A window: students under a bylaw order the programs in these days; afterwards they are distributed.
create table specialization_times (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  start_date date not null,
  end_date date not null,
  min_level smallint check (min_level between 0 and 7),
  min_passed_hours numeric(6, 2) check (min_passed_hours between 0 and 300),
  max_preferences smallint not null default 15 check (max_preferences between 1 and 15),
  tie_rule text not null default 'code' check (tie_rule in ('code', 'older', 'school', 'lot')),
  -- What is reached by steps; planned, open and closed follow from the days.
  status text not null default 'prepared' check (status in ('prepared', 'distributed', 'confirmed')),
  run_id integer,
  confirmed_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specialization_times_order check (start_date <= end_date),
  constraint specialization_times_run check (status = 'prepared' or run_id is not null),
  constraint specialization_times_confirmed check ((status = 'confirmed') = (confirmed_at is not null)),
  constraint specialization_times_overlap exclude using gist (bylaw_id with =, daterange(start_date, end_date, '[]') with &&)
    where (removed_at is null)
);
select audit_table('specialization_times');

-- The programs that a window offers, each with its places.
create table specialization_seats (
  id integer generated always as identity primary key,
  specialization_time_id integer not null references specialization_times on delete cascade,
  position smallint not null,
  specialization_id integer not null references specializations,
  capacity integer not null check (capacity between 0 and 100000),
  constraint specialization_seat_twice unique (specialization_time_id, specialization_id) deferrable
);
create index specialization_seats_specialization on specialization_seats (specialization_id);
select audit_rows('specialization_seats', 'specialization_time_id');

-- Where a window stands: by its days until it is distributed.
create view specialization_windows as
select t.*, case when t.status <> 'prepared' then t.status
  when (now() at time zone university_zone())::date < t.start_date then 'planned'
  when (now() at time zone university_zone())::date <= t.end_date then 'open' else 'closed' end as state
from specialization_times t;

-- What a student wants, the dearest first: one list, saved as one.
create table specialization_preferences (
  id integer generated always as identity primary key,
  specialization_time_id integer not null references specialization_times on delete cascade,
  student_id integer not null references students on delete cascade,
  choices integer[] not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specialization_preferences_key unique (specialization_time_id, student_id)
);
create index specialization_preferences_student on specialization_preferences (student_id);
select audit_table('specialization_preferences');

-- Whoever writes a list: it names programs of its window, none twice, and none after the window was confirmed. Who confirms
-- at this moment is waited for.
create function check_specialization_preferences() returns trigger language plpgsql as $$
declare
  window_of specialization_times;
begin
  select * into window_of from specialization_times where id = new.specialization_time_id for key share;
  if window_of.status = 'confirmed' then
    raise exception using errcode = 'UE409', message = 'specialization_confirmed', detail = '{}';
  end if;
  if cardinality(new.choices) > window_of.max_preferences
    or (select count(distinct c) from unnest(new.choices) c) <> cardinality(new.choices)
    or exists (select from unnest(new.choices) c where not exists (select from specialization_seats s
      where s.specialization_time_id = new.specialization_time_id and s.specialization_id = c)) then
    raise exception using errcode = '23514', constraint = 'specialization_not_offered', message = 'a wish that is not offered';
  end if;
  return new;
end $$;
create trigger check_preferences before insert or update on specialization_preferences
  for each row execute function check_specialization_preferences();

-- A program stays in its window as long as somebody wants it.
create function keep_wanted_seat() returns trigger language plpgsql as $$
begin
  if exists (select from specialization_times t where t.id = old.specialization_time_id)
    and exists (select from specialization_preferences p
      where p.specialization_time_id = old.specialization_time_id and old.specialization_id = any(p.choices))
    and (tg_op = 'DELETE' or new.specialization_id <> old.specialization_id) then
    raise exception using errcode = 'UE409', message = 'specialization_wanted', detail = (
      select json_build_object('specialization', s.name, 'specialization_local', s.name_local, 'count',
        (select count(*) from specialization_preferences p
          where p.specialization_time_id = old.specialization_time_id and s.id = any(p.choices)))::text
      from specializations s where s.id = old.specialization_id);
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep_wanted before delete or update of specialization_id on specialization_seats
  for each row execute function keep_wanted_seat();

-- A distribution that was made, with what it was made of: what has changed since is seen by comparing.
create table specialization_runs (
  id integer generated always as identity primary key,
  specialization_time_id integer not null references specialization_times on delete cascade,
  number integer not null,
  made_at timestamptz not null default now(),
  made_by integer references users,
  tie_rule text not null,
  -- [{specialization_id, capacity, conditions, given, cut_off}]
  seats jsonb not null,
  applicants integer not null,
  placed integer not null,
  constraint specialization_runs_number_key unique (specialization_time_id, number)
);
create index specialization_runs_made_by on specialization_runs (made_by);
alter table specialization_times add foreign key (run_id) references specialization_runs;
create index specialization_times_run_id on specialization_times (run_id);

create table specialization_results (
  run_id integer not null references specialization_runs on delete cascade,
  student_id integer not null references students on delete cascade,
  -- Place in the order of all: GPA, passed hours, the rule for equals.
  rank integer not null,
  program_id integer not null,
  gpa numeric(3, 2),
  passed_hours numeric(6, 2) not null,
  tie text,
  choices integer[] not null,
  -- Conditions of `specialization_courses` that are met.
  met integer[] not null,
  -- What was given, and which wish it was; null: none.
  specialization_id integer,
  preference smallint,
  primary key (run_id, student_id)
);
create index specialization_results_student on specialization_results (student_id);

-- Who was given which program, by a window or by hand; `removed_at`: taken back.
create table student_specializations (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  specialization_id integer not null references specializations,
  -- null: by hand.
  specialization_time_id integer references specialization_times,
  from_program_id integer not null references programs,
  program_id integer not null references programs,
  from_advisor_id integer references instructors,
  advisor_id integer references instructors,
  preference smallint,
  reason text,
  assigned_at timestamptz not null default now(),
  assigned_by integer references users,
  removed_at timestamptz,
  removed_by integer references users,
  removed_reason text,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
create unique index specialized_twice on student_specializations (student_id, from_program_id) where removed_at is null;
create index student_specializations_time on student_specializations (specialization_time_id);
create index student_specializations_specialization on student_specializations (specialization_id);
create index student_specializations_program on student_specializations (program_id);
create index student_specializations_from_program on student_specializations (from_program_id);
create index student_specializations_advisor on student_specializations (advisor_id);
create index student_specializations_from_advisor on student_specializations (from_advisor_id);
create index student_specializations_assigned_by on student_specializations (assigned_by);
create index student_specializations_removed_by on student_specializations (removed_by);
select audit_table('student_specializations');
