-- The status of a student changes by a decision: its number and day, and the paper. Each is kept, and none is changed.
create table student_status_decisions (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  from_status text not null,
  to_status text not null check (to_status in ('studying', 'graduated', 'suspended', 'withdrawn', 'transferred', 'dismissed')),
  -- Number of the decision, and what it says.
  decision text not null constraint student_status_decision check (length(decision) between 1 and 400),
  decided_on date not null,
  file_id integer references files,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint student_status_changes check (from_status <> to_status)
);
create index student_status_decisions_student on student_status_decisions (student_id, id desc);
create index student_status_decisions_file on student_status_decisions (file_id) where file_id is not null;
create index student_status_decisions_created_by on student_status_decisions (created_by);
select audit_rows('student_status_decisions', 'student_id');

-- The term whose dismissal a decision has lifted: computing it again dismisses nobody a second time.
alter table students add column readmitted_term_id integer references terms;
create index students_readmitted_term on students (readmitted_term_id) where readmitted_term_id is not null;
