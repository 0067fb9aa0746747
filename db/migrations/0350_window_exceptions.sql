-- Windows for single students: a registrar opens one for a list of them, with a reason and an end.

create table window_exceptions (
  id integer generated always as identity primary key,
  faculty_id integer not null references faculties,
  term_id integer not null references terms,
  stage_code_id integer not null references stage_codes,
  starts_at timestamptz not null default now(),
  ends_at timestamptz not null,
  reason text not null check (length(btrim(reason)) > 0),
  search_text text generated always as (fold_text(reason)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint window_exceptions_order check (starts_at < ends_at),
  -- Nobody stands outside of the rules for good.
  constraint window_exceptions_length check (ends_at <= starts_at + interval '60 days')
);
create index window_exceptions_term on window_exceptions (term_id, ends_at) where removed_at is null;
create index window_exceptions_faculty on window_exceptions (faculty_id);
create index window_exceptions_code on window_exceptions (stage_code_id);
select audit_table('window_exceptions');

create table window_exception_students (
  window_exception_id integer not null references window_exceptions on delete cascade,
  student_id integer not null references students,
  primary key (window_exception_id, student_id)
);
create index window_exception_students_student on window_exception_students (student_id);
select audit_table('window_exception_students');

-- Every window that can open to a student: those of the term, and those made for single students.
create view stage_windows as
  select id, term_id, stage_code_id, stage_group_id, starts_at, ends_at, removed_at, null::integer as exception_id
  from term_stages
  union all
  select id, term_id, stage_code_id, null, starts_at, ends_at, removed_at, id from window_exceptions;
