-- A training that does not take place after all: its requests end with the reason.
alter table trainings
  add column called_off_at timestamptz,
  add column called_off_reason text check (char_length(called_off_reason) between 1 and 500),
  add constraint training_called_off check ((called_off_at is null) = (called_off_reason is null));

-- The organisation of a place that a student found, once the office has put it on the list.
alter table students_trainings
  add column organisation_id integer references training_organisations,
  add constraint student_training_organisation check (organisation_id is null or own_organisation is not null);
create index students_trainings_organisation on students_trainings (organisation_id);

-- Every assessment is kept; that of the supervisor is the one that counts, and stands with the training as well.
create table training_assessments (
  id integer generated always as identity primary key,
  student_training_id integer not null references students_trainings on delete cascade,
  source text not null check (source in ('supervisor', 'organisation')),
  score smallint not null check (score between 0 and 100),
  text text not null check (char_length(text) between 1 and 4000),
  visited_on date,
  user_id integer references users on delete set null,
  -- Who says so for the organisation.
  said_by text check (char_length(said_by) between 1 and 200),
  at timestamptz not null default now(),
  constraint training_assessment_by check ((source = 'organisation') = (said_by is not null))
);
create index training_assessments_of on training_assessments (student_training_id, id);
create index training_assessments_user on training_assessments (user_id);
select audit_rows('training_assessments', 'student_training_id');
insert into training_assessments (student_training_id, source, score, text, visited_on, user_id, at)
  select id, 'supervisor', score, assessment, visited_on, assessed_by, assessed_at from students_trainings where assessed_at is not null;
install function keep_training_assessment;
create trigger assessed after insert or update of score, assessment, visited_on, assessed_at on students_trainings
  for each row execute function keep_training_assessment();

-- What an organisation is asked by a link: one question at a time for a training, to the address that it had then.
create table training_asks (
  id integer generated always as identity primary key,
  training_id integer not null references trainings on delete cascade,
  email text not null,
  asked_by integer references users on delete set null,
  asked_at timestamptz not null default now(),
  opened_at timestamptz,
  ended_at timestamptz
);
create unique index training_asks_one on training_asks (training_id) where ended_at is null;
create index training_asks_by on training_asks (asked_by);
select audit_rows('training_asks', 'training_id');
-- Only the hash of a link is kept; it ends with its question.
create table training_links (
  token_hash bytea primary key,
  ask_id integer not null references training_asks on delete cascade,
  created_at timestamptz not null default now()
);
create index training_links_ask on training_links (ask_id);

-- Whether the organisation would take a student: advice, of which the last counts.
create table training_answers (
  id integer generated always as identity primary key,
  student_training_id integer not null references students_trainings on delete cascade,
  ask_id integer not null references training_asks on delete cascade,
  says boolean not null,
  reason text check (char_length(reason) between 1 and 500),
  said_by text not null check (char_length(said_by) between 1 and 200),
  at timestamptz not null default now(),
  constraint training_answer_reason check (says or reason is not null)
);
create index training_answers_of on training_answers (student_training_id, id);
create index training_answers_ask on training_answers (ask_id);
select audit_rows('training_answers', 'student_training_id');

-- Types of certificates can be of the trainings that a student has done.
alter table certificate_settings drop constraint certificate_settings_document_check,
  add constraint certificate_settings_document_check
    check (document in ('text', 'transcript', 'enrollment_certificate', 'graduation_certificate', 'master_certificate', 'trainings_done'));
