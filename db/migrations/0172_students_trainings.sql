-- Trainings of students: a place that is offered, or one that the student found.
create table students_trainings (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  training_id integer references trainings,
  wish smallint check (wish between 1 and 10),
  own_organisation text check (char_length(own_organisation) between 1 and 200),
  own_contact text,
  own_starts_on date,
  own_ends_on date,
  own_weeks smallint check (own_weeks between 1 and 60),
  cv_file_id integer references files,
  why text not null,
  status text not null default 'requested'
    check (status in ('requested', 'accepted', 'approved', 'disapproved', 'final_disapproved', 'cancelled')),
  -- What counts for the degree, from its approval on.
  weeks smallint check (weeks between 1 and 60),
  score smallint check (score between 0 and 100),
  assessment text,
  visited_on date,
  assessed_by integer references users on delete set null,
  assessed_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint student_training_where check ((training_id is null) = (own_organisation is not null)),
  constraint student_training_own check (num_nonnulls(own_organisation, own_starts_on, own_ends_on, own_weeks) in (0, 4)),
  constraint student_training_own_days check (own_ends_on >= own_starts_on),
  constraint student_training_weeks check ((weeks is not null) = (status = 'approved')),
  constraint student_training_assessed check (num_nonnulls(score, assessment, assessed_at) in (0, 3))
);
-- Nobody asks for one place twice, nor gives two wishes one number.
create unique index student_training_twice on students_trainings (student_id, training_id)
  where status in ('requested', 'accepted', 'approved') and removed_at is null and training_id is not null;
create unique index student_training_wish on students_trainings (student_id, wish)
  where status = 'requested' and removed_at is null and wish is not null;
create index students_trainings_student on students_trainings (student_id);
create index students_trainings_training on students_trainings (training_id, status);
create index students_trainings_cv on students_trainings (cv_file_id) where cv_file_id is not null;
create index students_trainings_assessed_by on students_trainings (assessed_by);
create index students_trainings_waiting on students_trainings (created_at) where status in ('requested', 'accepted');
select audit_table('students_trainings');
-- Weeks that were approved count for the degree by themselves.
install function count_training_weeks;
create trigger counted after insert or update of status, weeks, removed_at, student_id or delete on students_trainings
  for each row execute function count_training_weeks();

create table training_reports (
  id integer generated always as identity primary key,
  student_training_id integer not null references students_trainings on delete cascade,
  week smallint not null check (week between 1 and 60),
  text text not null check (char_length(text) between 1 and 4000),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint training_report_twice unique (student_training_id, week)
);
create index training_reports_created_by on training_reports (created_by);
select audit_rows('training_reports', 'student_training_id');

-- Interviews of a training: each is booked by one request.
create table training_interviews (
  id integer generated always as identity primary key,
  training_id integer not null references trainings on delete cascade,
  starts_at timestamptz not null,
  minutes smallint not null check (minutes between 5 and 240),
  place text not null check (char_length(place) between 1 and 200),
  student_training_id integer references students_trainings,
  constraint training_interview_twice unique (training_id, place, starts_at),
  constraint training_interview_booked unique (student_training_id)
);
create index training_interviews_of on training_interviews (training_id, starts_at);
select audit_rows('training_interviews', 'training_id');
