-- Sheets of a ministry with whom it has nominated: which column is what, each file with its rows, and what was said of whom.

-- Which heading is which field: kept by name for each type of admission, so that it is said once.
create table applicant_mappings (
  id integer generated always as identity primary key,
  name text not null constraint applicant_mapping_name check (name = btrim(name) and length(name) between 1 and 100),
  applicant_type smallint not null check (applicant_type in (1, 3, 4, 5, 6)),
  -- Headings by field.
  columns jsonb not null check (jsonb_typeof(columns) = 'object'),
  created_by integer references users,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index applicant_mapping_once on applicant_mappings (applicant_type, fold_text(name)) where removed_at is null;
create index applicant_mappings_created_by on applicant_mappings (created_by);
select audit_table('applicant_mappings');

create table applicant_imports (
  id integer generated always as identity primary key,
  admission_id integer not null references admissions,
  file_name text not null check (length(file_name) between 1 and 255),
  file_hash text not null check (file_hash ~ '^[0-9a-f]{64}$'),
  file_size bigint not null check (file_size > 0),
  format text not null check (format in ('csv', 'xlsx')),
  encoding text not null check (encoding in ('utf-8', 'windows-1256')),
  headings jsonb not null check (jsonb_typeof(headings) = 'array'),
  -- The first rows, by which a person says what the columns are.
  first jsonb not null check (jsonb_typeof(first) = 'array'),
  -- Which field stands in which column, counted from 0; null: not said yet.
  columns jsonb check (jsonb_typeof(columns) = 'object'),
  stage text not null default 'read' check (stage in ('read', 'checked', 'saving', 'saved')),
  -- The work that goes on: by its token a job knows that none has taken its place.
  job_id uuid,
  token uuid,
  counts jsonb not null default '{}',
  created_by integer references users,
  version integer not null default 1,
  saved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint applicant_import_columns check (stage = 'read' or columns is not null),
  constraint applicant_import_saved check ((stage = 'saved') = (saved_at is not null))
);
create index applicant_imports_admission on applicant_imports (admission_id, id);
create index applicant_imports_created_by on applicant_imports (created_by, id);
select audit_table('applicant_imports',
  array['first', 'headings', 'columns', 'counts', 'job_id', 'token', 'file_hash', 'file_size', 'format', 'encoding']);

-- Rows of a file beside what saving them does. Values as they will be written; `cells` as they stand in the file.
create table applicant_import_rows (
  import_id integer not null references applicant_imports on delete cascade,
  row integer not null check (row > 0),
  outcome text not null check (outcome in ('new', 'changed', 'same', 'duplicate', 'elsewhere', 'decided', 'wrong')),
  -- By what the person is known within an admission: national id, else passport, else number of the ministry.
  person text,
  ministry_number text,
  ministry_email text,
  name text,
  name_local text,
  nationality_id integer,
  national_id text,
  passport_number text,
  gender smallint,
  birth_date date,
  birth_community_id integer,
  phone text,
  second_phone text,
  community_id integer,
  address text,
  certificate_type_id integer,
  certificate_year integer,
  certificate_school text,
  seat_number text,
  certificate_total numeric(7, 2),
  wishes integer[],
  -- `[{certificate_subject_id, mark}]`
  subjects jsonb,
  cells text[] not null,
  -- What is wrong, or why it is not written: `[{at, code, data}]`, `at` the column counted from 0.
  errors jsonb,
  applicant_id integer,
  primary key (import_id, row)
);
create index applicant_import_rows_outcome on applicant_import_rows (import_id, outcome, row);

-- Rows that are written together, by one transaction each: which are done, and how many of their rows were written. Rows themselves are
-- not touched by it, so that saving costs what it writes.
create table applicant_import_portions (
  import_id integer not null references applicant_imports on delete cascade,
  from_row integer not null,
  to_row integer not null check (to_row >= from_row),
  done boolean not null default false,
  saved integer not null default 0,
  primary key (import_id, from_row)
);

-- Whom the ministry has nominated: one row for each application that it made. What it said is not written by the applicant.
create table applicant_nominations (
  applicant_id integer primary key references applicants on delete cascade,
  admission_id integer not null references admissions,
  ministry_number text check (ministry_number = btrim(ministry_number) and length(ministry_number) between 1 and 40),
  person text not null,
  -- The address as the ministry has it. Nobody has verified it.
  email text,
  -- Fields that it said.
  fields text[] not null,
  import_id integer references applicant_imports on delete set null,
  -- Whoever has verified the address of the ministry sees what it said; anybody else does not.
  shown boolean not null default false,
  taken_up_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint applicant_nominated_once unique (admission_id, person),
  constraint applicant_ministry_number unique (admission_id, ministry_number)
);
create index applicant_nominations_import on applicant_nominations (import_id);
select audit_table('applicant_nominations', array['person', 'fields', 'shown', 'import_id']);

-- Whoever was nominated has no address and no key before the application is taken up.
alter table applicants
  alter column email drop not null,
  alter column key_hash drop not null,
  add constraint applicant_address check ((email is null) = (key_hash is null));
alter table applicants alter column search_text set expression as (fold_text(code || ' ' || coalesce(name, '') || ' '
  || coalesce(name_local, '') || ' ' || coalesce(email, '') || ' ' || coalesce(national_id, '') || ' ' || coalesce(passport_number, '')));

-- Where what the ministry says is proof, its applicants begin as sent in.
alter table admissions add column ministry_is_proof boolean not null default false;
