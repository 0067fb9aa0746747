-- Time and place: years, terms, windows, periods of the day, buildings and halls.

create table years (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  start_date date not null,
  end_date date not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint years_code_key unique (code),
  constraint years_order check (start_date < end_date)
);

create table terms (
  id integer generated always as identity primary key,
  year_id integer not null references years,
  code text not null,
  name text not null,
  name_local text not null,
  term_type text not null check (term_type in ('fall', 'spring', 'summer')),
  start_date date not null,
  end_date date not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint terms_code_key unique (code),
  constraint terms_order check (start_date < end_date)
);
create index terms_year on terms (year_id);
create index terms_start on terms (start_date);

-- Which term each part of the university works in now.
create table current_terms (
  key text primary key check (key in ('current_term', 'current_admission_term', 'current_admission_term_UG',
    'current_admission_term_PG', 'current_transfer_term', 'current_control_term', 'current_exam_term')),
  term_id integer not null references terms
);

create table stage_codes (
  id integer generated always as identity primary key,
  code text not null unique check (code in ('register', 'add_drop', 'withdraw', 'excuse', 'grade_entry', 'control',
    'results', 'questionnaire', 'recheck', 'exam')),
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored
);
insert into stage_codes (code, name, name_local) values
  ('register', 'Registration', 'التسجيل'),
  ('add_drop', 'Add and drop', 'الحذف والإضافة'),
  ('withdraw', 'Withdrawal', 'الانسحاب'),
  ('excuse', 'Excuses', 'الأعذار'),
  ('grade_entry', 'Mark entry', 'رصد الدرجات'),
  ('control', 'Control', 'الكنترول'),
  ('results', 'Results', 'النتائج'),
  ('questionnaire', 'Questionnaires', 'الاستبيانات'),
  ('recheck', 'Grade recheck', 'التظلمات'),
  ('exam', 'Examination', 'الامتحانات');

-- A group of students for which windows open together; an empty criterion admits everybody.
create table stage_groups (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  faculty_id integer references faculties,
  bylaw_id integer references bylaws,
  program_id integer references programs,
  level smallint check (level between 0 and 7),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint stage_groups_code_key unique (code)
);
create index stage_groups_faculty on stage_groups (faculty_id);
create index stage_groups_bylaw on stage_groups (bylaw_id);
create index stage_groups_program on stage_groups (program_id);

-- Term stages: dated windows.
create table term_stages (
  id integer generated always as identity primary key,
  term_id integer not null references terms,
  stage_code_id integer not null references stage_codes,
  -- null: all students
  stage_group_id integer references stage_groups,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint term_stages_order check (starts_at < ends_at),
  -- One window of a kind at a time for the same students.
  constraint term_stages_overlap exclude using gist (term_id with =, stage_code_id with =,
    (coalesce(stage_group_id, 0)) with =, tstzrange(starts_at, ends_at) with &&) where (removed_at is null)
);
create index term_stages_term on term_stages (term_id, stage_code_id);
create index term_stages_group on term_stages (stage_group_id);

-- Named periods of the teaching day.
create table slots (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  start_time time not null,
  end_time time not null,
  ramadan_start_time time not null,
  ramadan_end_time time not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint slots_code_key unique (code),
  constraint slots_regular_order check (start_time < end_time),
  constraint slots_ramadan_order check (ramadan_start_time < ramadan_end_time)
);

-- Which time applies: one row per kind of slot.
create table ramadan_status (
  kind text primary key check (kind in ('slots', 'exam_slots')),
  is_ramadan boolean not null default false,
  changed_at timestamptz not null default now()
);
insert into ramadan_status (kind) values ('slots'), ('exam_slots');

create table buildings (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  faculty_id integer references faculties,
  address text,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint buildings_code_key unique (code)
);
create index buildings_faculty on buildings (faculty_id);

create table locations (
  id integer generated always as identity primary key,
  building_id integer not null references buildings,
  code text not null,
  name text not null,
  name_local text not null,
  floor smallint check (floor between -5 and 200),
  sectors smallint not null default 1 check (sectors between 1 and 100),
  capacity integer not null check (capacity between 1 and 10000),
  location_type text not null default 'hall' check (location_type in ('hall', 'room', 'lab', 'clinic', 'online')),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint locations_code_key unique (code)
);
create index locations_building on locations (building_id);

select audit_table(t) from unnest(array[
  'years', 'terms', 'current_terms', 'stage_groups', 'term_stages', 'slots', 'ramadan_status', 'buildings', 'locations']) as t;
