-- What was decided for one student: a requirement waived, a course that stands for another, or for what a course counts.
-- Given for a program, because requirements are known by their keys in it. Taken back, never changed.
create table degree_exceptions (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  program_id integer not null references programs,
  kind text not null constraint degree_exceptions_kind check (kind in ('waive', 'substitute', 'settle')),
  key text not null constraint degree_exceptions_key check (char_length(key) between 1 and 80),
  course_id integer references courses,
  for_course_id integer references courses,
  reason text not null constraint degree_exceptions_reason check (char_length(reason) between 1 and 500),
  granted_by integer references users,
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  revoked_by integer references users,
  revoked_reason text constraint degree_exceptions_revoked_reason check (char_length(revoked_reason) between 1 and 500),
  constraint degree_exceptions_course check ((kind = 'waive') = (course_id is null)),
  constraint degree_exceptions_instead check (for_course_id is null or kind = 'substitute'),
  constraint degree_exceptions_revoked check ((revoked_at is null) = (revoked_reason is null))
);
-- Nothing is decided twice: a requirement is waived once, a course stands for one thing in a requirement.
create unique index exception_twice on degree_exceptions (student_id, program_id, key, coalesce(course_id, 0))
  where revoked_at is null;
create index degree_exceptions_program on degree_exceptions (program_id);
create index degree_exceptions_course on degree_exceptions (course_id) where course_id is not null;
create index degree_exceptions_for_course on degree_exceptions (for_course_id) where for_course_id is not null;

-- A student whose record goes into another takes it along.
create function degree_exception_stays() returns trigger language plpgsql as $$
begin
  if (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) or (to_jsonb(new) - '{revoked_at,revoked_by,revoked_reason,student_id}'::text[])
      is distinct from (to_jsonb(old) - '{revoked_at,revoked_by,revoked_reason,student_id}'::text[]) then
    raise exception 'What was decided is taken back, not changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger stays before update on degree_exceptions for each row execute function degree_exception_stays();

-- The audits of all students of a program or faculty at one time, and which revisions each was held against.
create table degree_audit_runs (
  id integer generated always as identity primary key,
  program_id integer references programs on delete cascade,
  faculty_id integer references faculties on delete cascade,
  job_id text,
  started_by integer references users,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint degree_audit_runs_of_one check (num_nonnulls(program_id, faculty_id) = 1)
);
create index degree_audit_runs_program on degree_audit_runs (program_id) where program_id is not null;
create index degree_audit_runs_faculty on degree_audit_runs (faculty_id) where faculty_id is not null;
create table degree_audit_results (
  run_id integer not null references degree_audit_runs on delete cascade,
  student_id integer not null references students on delete cascade,
  program_id integer not null references programs on delete cascade,
  -- 0: none of its own.
  program_revision integer not null,
  bylaw_revision integer not null,
  state text not null constraint degree_audit_results_state check (state in ('met', 'in_progress', 'missing')),
  percent smallint not null constraint degree_audit_results_percent check (percent between 0 and 100),
  -- What is missing: [{key, name, name_local, code, data}].
  missing jsonb not null,
  primary key (run_id, student_id)
);
create index degree_audit_results_percent on degree_audit_results (run_id, percent, student_id);
create index degree_audit_results_student on degree_audit_results (student_id);

select audit_table(t) from unnest(array['degree_exceptions', 'degree_audit_runs']) as t;
