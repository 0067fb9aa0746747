-- Instructors and students. A person signs in as a row of users; these are what the person is at the university.

create table instructors (
  id integer generated always as identity primary key,
  user_id integer unique references users,
  code text not null,
  name text not null,
  name_local text not null,
  academic_title text check (academic_title in ('professor', 'associate_professor', 'lecturer', 'assistant_lecturer', 'demonstrator', 'expert')),
  faculty_id integer not null references faculties,
  department_id integer references departments,
  email text,
  phone text,
  gender smallint check (gender in (1, 2)),
  national_id text check (national_id ~ '^\d{14}$'),
  -- Advises students: at most this many; null: is no advisor.
  max_advised integer check (max_advised between 0 and 10000),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint instructors_code_key unique (code)
);
create index instructors_faculty on instructors (faculty_id);
create index instructors_department on instructors (department_id);

alter table faculties add constraint faculties_dean foreign key (dean_id) references instructors;
create index faculties_dean_id on faculties (dean_id);
alter table departments add constraint departments_head foreign key (head_id) references instructors;
create index departments_head_id on departments (head_id);

create table students (
  id integer generated always as identity primary key,
  user_id integer unique references users,
  code text not null,
  name text not null,
  name_local text not null,
  faculty_id integer not null references faculties,
  program_id integer not null references programs,
  -- The bylaw at entry: the student stays on it when a newer one appears.
  bylaw_id integer not null references bylaws,
  advisor_id integer references instructors,
  entry_term_id integer references terms,
  level smallint not null default 1 check (level between 0 and 7),
  status text not null default 'studying' check (status in ('studying', 'graduated', 'suspended', 'withdrawn', 'transferred', 'dismissed')),
  gender smallint check (gender in (1, 2)),
  birth_date date,
  birth_place text,
  nationality_id integer references countries,
  national_id text check (national_id ~ '^\d{14}$'),
  passport_number text,
  military_status text check (military_status in ('exempted', 'temporary_exempted', 'done', 'foreign', 'suspended')),
  email text,
  phone text,
  address text,
  parent_name text,
  parent_phone text,
  parent_relation text,
  parent_job text,
  school_certificate text,
  school_name text,
  school_year smallint check (school_year between 1950 and 2200),
  school_percentage numeric(5, 2) check (school_percentage between 0 and 100),
  previous_university text,
  previous_program text,
  data jsonb not null default '{}',
  notes text,
  blocked_at timestamptz,
  blocked_reason text,
  missing_documents boolean not null default false,
  -- Figures of the last finished term, derived from registrations when a term is finished.
  gpa numeric(3, 2) check (gpa between 0 and 4),
  passed_hours smallint not null default 0 check (passed_hours >= 0),
  warnings smallint not null default 0 check (warnings >= 0),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint students_code_key unique (code),
  constraint students_national_id_key unique (national_id)
);
create index students_faculty on students (faculty_id);
create index students_program on students (program_id, level);
create index students_bylaw on students (bylaw_id);
create index students_advisor on students (advisor_id);
create index students_nationality on students (nationality_id);
create index students_entry_term on students (entry_term_id);
create index students_search on students using gin (search_text gin_trgm_ops);
create index students_name on students (name, id);
create index students_name_local on students (name_local collate "ar-x-icu", id);

-- What keeps a student from registering. Finance, surveys and documents put their holds here and lift them.
create table student_holds (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  kind text not null check (kind in ('unpaid_invoice', 'obligatory_survey', 'blocked', 'missing_documents')),
  note text,
  note_local text,
  since date not null default current_date,
  lifted_at timestamptz
);
create index student_holds_open on student_holds (student_id) where lifted_at is null;

-- Identity of a row in a system it was imported from.
create table external_ids (
  source text not null,
  kind text not null check (kind in ('org', 'session', 'course', 'class', 'user', 'enrollment')),
  external_id text not null,
  record_id integer not null,
  -- Digest of the imported line: an unchanged line is not touched again.
  digest text not null,
  primary key (source, kind, external_id)
);
create index external_ids_record on external_ids (kind, record_id);

select audit_table(t) from unnest(array['instructors', 'students', 'student_holds']) as t;
