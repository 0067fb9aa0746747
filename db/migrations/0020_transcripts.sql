-- Transcripts that were printed: their serial stands on every page, so that a paper can be traced to who printed it and
-- what it said. And orders of the list of students that would otherwise sort everybody.

create table transcripts (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  lang text not null check (lang in ('ar', 'en')),
  -- Holds results that were not published.
  all_results boolean not null default false,
  -- Year of printing and number of the row: T-2026-000123.
  serial text not null constraint transcripts_serial_key unique,
  -- What it said at its end.
  courses smallint not null,
  gpa numeric(3, 2) check (gpa between 0 and 4),
  passed_hours smallint not null,
  issued_at timestamptz not null default now(),
  -- null: the student's account is gone.
  issued_by integer references users on delete set null
);
create index transcripts_student on transcripts (student_id, id desc);
create index transcripts_issued_by on transcripts (issued_by);
create sequence transcript_number as integer;
select audit_table('transcripts');

-- How many students there are is counted for every page of the list.
create index students_present on students (id) where removed_at is null;
create index students_gpa on students (gpa, id);
create index students_gpa_down on students (gpa desc nulls last, id desc);
create index students_warnings_down on students (warnings desc nulls last, id desc);
create index students_passed_hours on students (passed_hours, id);
create index students_level on students (level, id);
