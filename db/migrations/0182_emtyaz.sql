-- The internship year: its periods, and how it is judged.
select create_lookup('emtyaz_years');
alter table emtyaz_years
  add column faculty_id integer not null references faculties,
  add column bylaw_id integer references bylaws,
  add column starts_on date not null,
  add column periods smallint not null check (periods between 1 and 60),
  add column period_weeks smallint not null check (period_weeks between 1 and 26),
  -- Electives that everybody has besides the obligatory courses, and days on leave in a rotation that need not be made up.
  add column electives smallint not null default 0 check (electives between 0 and 6),
  add column leave_days smallint not null default 0 check (leave_days between 0 and 60),
  add column marks_days smallint not null default 14 check (marks_days between 1 and 180),
  add column wishes_from date,
  add column wishes_until date,
  add column is_closed boolean not null default false,
  add constraint emtyaz_wishes_order check (num_nonnulls(wishes_from, wishes_until) in (0, 2) and wishes_until >= wishes_from);
create index emtyaz_years_faculty on emtyaz_years (faculty_id);
create index emtyaz_years_bylaw on emtyaz_years (bylaw_id) where bylaw_id is not null;

-- What is to be done in it, marked by criteria, and the trainings of which each course is made.
select create_lookup('emtyaz_courses');
alter table emtyaz_courses
  add column faculty_id integer not null references faculties,
  add column bylaw_id integer references bylaws,
  add column is_elective boolean not null default false,
  add column pass_mark numeric(5, 2) not null default 60 check (pass_mark between 0 and 999);
create index emtyaz_courses_faculty on emtyaz_courses (faculty_id);
create index emtyaz_courses_bylaw on emtyaz_courses (bylaw_id) where bylaw_id is not null;
create table emtyaz_criteria (
  id integer generated always as identity primary key,
  course_id integer not null references emtyaz_courses on delete cascade,
  position smallint not null,
  name text not null check (char_length(name) between 1 and 200),
  name_local text not null check (char_length(name_local) between 1 and 200),
  max_mark numeric(5, 2) not null check (max_mark > 0),
  constraint emtyaz_criterion_twice unique (course_id, name) deferrable
);
select audit_rows('emtyaz_criteria', 'course_id');
select create_lookup('emtyaz_training_types');
alter table emtyaz_training_types
  add column course_id integer not null references emtyaz_courses,
  add column weeks smallint not null check (weeks between 1 and 52);
create index emtyaz_training_types_course on emtyaz_training_types (course_id);

-- Where: hospitals, and the trainings that their departments offer in a year.
select create_lookup('emtyaz_hospitals');
alter table emtyaz_hospitals
  add column city text,
  add column contact_name text,
  add column phone text,
  add column map_url text check (map_url ~ '^https?://');
select create_lookup('emtyaz_trainings');
alter table emtyaz_trainings
  add column year_id integer not null references emtyaz_years,
  add column type_id integer not null references emtyaz_training_types,
  add column hospital_id integer not null references emtyaz_hospitals,
  add column places smallint not null check (places between 0 and 2000),
  -- Nobody is there from this day on.
  add column withdrawn_from date,
  add constraint emtyaz_training_offered unique (id, type_id, year_id);
create index emtyaz_trainings_year on emtyaz_trainings (year_id, type_id);
create index emtyaz_trainings_type on emtyaz_trainings (type_id);
create index emtyaz_trainings_hospital on emtyaz_trainings (hospital_id);
-- Days on which a training has more or fewer places.
create table emtyaz_training_places (
  id integer generated always as identity primary key,
  training_id integer not null references emtyaz_trainings on delete cascade,
  starts_on date not null,
  ends_on date not null,
  places smallint not null check (places between 0 and 2000),
  constraint emtyaz_places_days check (ends_on >= starts_on),
  constraint emtyaz_places_twice exclude using gist (training_id with =, daterange(starts_on, ends_on, '[]') with &&) deferrable
);
select audit_rows('emtyaz_training_places', 'training_id');
create table emtyaz_training_instructors (
  id integer generated always as identity primary key,
  training_id integer not null references emtyaz_trainings on delete cascade,
  instructor_id integer not null references instructors,
  starts_on date not null,
  ends_on date not null,
  constraint emtyaz_instructor_days check (ends_on >= starts_on),
  constraint emtyaz_instructor_twice exclude using gist (training_id with =, instructor_id with =, daterange(starts_on, ends_on, '[]') with &&) deferrable
);
create index emtyaz_training_instructors_of on emtyaz_training_instructors (instructor_id);
select audit_rows('emtyaz_training_instructors', 'training_id');

-- Who is in a year.
create table emtyaz_interns (
  id integer generated always as identity primary key,
  year_id integer not null references emtyaz_years,
  student_id integer not null references students,
  joined_on date not null,
  -- With whom he or she would like to be.
  with_student_id integer references students,
  note text,
  completed_on date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint emtyaz_intern_twice unique (year_id, student_id),
  constraint emtyaz_intern_alone check (with_student_id <> student_id)
);
create index emtyaz_interns_student on emtyaz_interns (student_id);
create index emtyaz_interns_with on emtyaz_interns (with_student_id) where with_student_id is not null;
select audit_table('emtyaz_interns');
create table emtyaz_leaves (
  id integer generated always as identity primary key,
  intern_id integer not null references emtyaz_interns on delete cascade,
  starts_on date not null,
  ends_on date not null,
  kind text not null check (kind in ('illness', 'holiday', 'other')),
  constraint emtyaz_leave_days check (ends_on >= starts_on),
  constraint emtyaz_leave_twice exclude using gist (intern_id with =, daterange(starts_on, ends_on, '[]') with &&) deferrable
);
select audit_rows('emtyaz_leaves', 'intern_id');
create table emtyaz_wishes (
  id integer generated always as identity primary key,
  intern_id integer not null references emtyaz_interns on delete cascade,
  position smallint not null check (position between 1 and 50),
  type_id integer not null references emtyaz_training_types,
  constraint emtyaz_wish_twice unique (intern_id, type_id) deferrable,
  constraint emtyaz_wish_position unique (intern_id, position) deferrable
);
create index emtyaz_wishes_type on emtyaz_wishes (type_id);
select audit_rows('emtyaz_wishes', 'intern_id');

-- Those who are in a training for the same days are marked together, and their marks go through control together.
create table emtyaz_offerings (
  id integer generated always as identity primary key,
  training_id integer not null references emtyaz_trainings,
  starts_on date not null,
  ends_on date not null,
  control_status text not null default 'Draft' check (control_status in ('Draft', 'Submitted', 'Reviewed', 'Approved', 'Published')),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint emtyaz_offering_days check (ends_on >= starts_on),
  constraint emtyaz_offering_twice unique (training_id, starts_on, ends_on),
  constraint emtyaz_offering_of unique (id, training_id, starts_on)
);
select audit_table('emtyaz_offerings');

-- Rotations: who is where from when until when.
create table emtyaz_rotations (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  year_id integer not null,
  training_id integer not null,
  type_id integer not null,
  offering_id integer not null,
  starts_on date not null,
  ends_on date not null,
  why text,
  status text not null default 'requested' check (status in ('requested', 'added', 'accepted', 'rejected', 'removed')),
  -- Instead of one that was failed, interrupted or too short.
  is_makeup boolean not null default false,
  -- The last day there, where it ended early.
  interrupted_on date,
  outcome text check (outcome in ('passed', 'failed', 'interrupted')),
  mark numeric(6, 2),
  max_mark numeric(6, 2),
  pass_mark numeric(6, 2),
  note text,
  graded_by integer references users on delete set null,
  graded_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (year_id, student_id) references emtyaz_interns (year_id, student_id) on update cascade,
  foreign key (training_id, type_id, year_id) references emtyaz_trainings (id, type_id, year_id),
  foreign key (offering_id, training_id, starts_on) references emtyaz_offerings (id, training_id, starts_on),
  constraint rotation_days check (ends_on >= starts_on),
  constraint rotation_interrupted check ((outcome is not distinct from 'interrupted') = (interrupted_on is not null)
    and (interrupted_on is null or interrupted_on between starts_on - 1 and ends_on)),
  constraint rotation_marked check (mark between 0 and max_mark and (outcome is null or outcome = 'interrupted' or num_nulls(mark, max_mark, pass_mark) = 0)),
  constraint rotation_meanwhile exclude using gist (student_id with =, daterange(starts_on, greatest(coalesce(interrupted_on, ends_on), starts_on), '[]') with &&)
    where (status = 'accepted' and removed_at is null)
);
create unique index rotation_twice on emtyaz_rotations (student_id, year_id, type_id)
  where status in ('requested', 'added', 'accepted') and removed_at is null and not is_makeup and (outcome is null or outcome = 'passed');
create index emtyaz_rotations_training on emtyaz_rotations (training_id, status, starts_on);
create index emtyaz_rotations_offering on emtyaz_rotations (offering_id);
create index emtyaz_rotations_intern on emtyaz_rotations (year_id, student_id);
create index emtyaz_rotations_type on emtyaz_rotations (type_id);
create index emtyaz_rotations_graded_by on emtyaz_rotations (graded_by);
create index emtyaz_rotations_waiting on emtyaz_rotations (created_at) where status in ('requested', 'added');
select audit_table('emtyaz_rotations');
create table emtyaz_marks (
  rotation_id integer not null references emtyaz_rotations on delete cascade,
  criterion_id integer not null references emtyaz_criteria,
  points numeric(5, 2) not null check (points >= 0),
  primary key (rotation_id, criterion_id)
);
create index emtyaz_marks_criterion on emtyaz_marks (criterion_id);
select audit_rows('emtyaz_marks', 'rotation_id');

-- No department has more people than places, whoever gives them.
install function emtyaz_places_on, emtyaz_overfull, emtyaz_free, guard_emtyaz_places;
create trigger places after insert or update of status, starts_on, ends_on, training_id, removed_at, interrupted_on on emtyaz_rotations
  for each row when (new.status = 'accepted') execute function guard_emtyaz_places();
