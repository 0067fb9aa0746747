-- Catalogue: who teaches under which regulation what, and in which order.
create extension if not exists btree_gist;

create table countries (
  id integer primary key,
  code text not null unique,
  name text not null,
  name_local text not null
);

create table faculties (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  short_name text,
  dean_id integer,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint faculties_code_key unique (code)
);

create table departments (
  id integer generated always as identity primary key,
  faculty_id integer not null references faculties,
  code text not null,
  name text not null,
  name_local text not null,
  head_id integer,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint departments_code_key unique (code)
);
create index departments_faculty on departments (faculty_id);

-- A bylaw carries every setting that registration, grading and graduation read.
create table bylaws (
  id integer generated always as identity primary key,
  faculty_id integer not null references faculties,
  code text not null,
  name text not null,
  name_local text not null,
  start_year smallint,
  -- How the study advances: by credit hours, by term marks, by year.
  program_type text check (program_type in ('credit_hours', 'term', 'annual')),
  in_admission boolean not null default false,
  min_training_weeks smallint not null default 0 check (min_training_weeks between 0 and 300),
  -- Under this share of the final exam the course is failed, whatever the total.
  min_percentage_final_exam numeric(4, 2) not null default 0 check (min_percentage_final_exam between 0 and 30),
  -- Decimal places to which a total is rounded, once.
  total_places smallint not null default 0 check (total_places between 0 and 2),
  warning_type text not null default 'cumulative' check (warning_type in ('term', 'cumulative')),
  warning_count text not null default 'consecutive' check (warning_count in ('consecutive', 'total')),
  warning_gpa numeric(3, 2) not null default 2 check (warning_gpa between 0 and 4),
  -- 0 switches warnings off.
  max_warnings smallint not null default 0 check (max_warnings between 0 and 20),
  repeat_rule text not null default 'last' check (repeat_rule in ('last', 'best', 'average')),
  -- Highest points a repeated course can earn; null: no limit.
  repeat_max_points numeric(3, 2) check (repeat_max_points between 0 and 4),
  max_improvements smallint not null default 0 check (max_improvements between 0 and 30),
  -- Letters that may be improved.
  improve_letters text[] not null default '{}',
  graduation_hours smallint not null default 0 check (graduation_hours between 0 and 300),
  graduation_gpa numeric(3, 2) not null default 2 check (graduation_gpa between 0 and 4),
  -- From which control status a student sees each: {"marks": "Published", "letter": ..., "points": ..., "gpa": ...}; null: never.
  grades_visibility jsonb not null default '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}',
  -- Specialisation tree of programs: [{program_id, children: [...]}].
  programs_tree jsonb not null default '[]',
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bylaws_code_key unique (code)
);
create index bylaws_faculty on bylaws (faculty_id);

create table bylaw_levels (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  level smallint not null check (level between 0 and 7),
  name text not null,
  name_local text not null,
  -- Passed hours that open this level.
  passed_hours smallint not null default 0 check (passed_hours between 0 and 300),
  constraint bylaw_levels_level_key unique (bylaw_id, level)
);

create table grade_types (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  kind text not null check (kind in ('letter', 'pass_fail')),
  name text not null,
  name_local text not null,
  constraint grade_types_kind_key unique (bylaw_id, kind)
);

create table grade_ranges (
  id integer generated always as identity primary key,
  grade_type_id integer not null references grade_types on delete cascade,
  from_percent numeric(5, 2) not null check (from_percent between 0 and 100),
  -- Exclusive, but for 100.
  to_percent numeric(5, 2) not null check (to_percent between 0 and 100),
  letter text not null,
  name text not null,
  name_local text not null,
  points numeric(3, 2) not null check (points between 0 and 4),
  -- One of the success grades.
  success boolean not null,
  check (from_percent < to_percent),
  constraint grade_ranges_letter_key unique (grade_type_id, letter),
  constraint grade_ranges_overlap exclude using gist (grade_type_id with =, numrange(from_percent, to_percent, '[)') with &&)
);

-- Grades that no range gives: absent, banned, withdrawn and the like.
create table special_grades (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  status text not null check (status in ('Absent', 'Banned', 'Punished', 'Withdrawn', 'ForcedWithdrawn', 'Excused', 'Incomplete', 'Exempt')),
  letter text not null,
  name text not null,
  name_local text not null,
  points numeric(3, 2) not null default 0 check (points between 0 and 4),
  counts_in_gpa boolean not null,
  counts_in_attempted_hours boolean not null,
  constraint special_grades_status_key unique (bylaw_id, status)
);

create table gpa_ranges (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  from_gpa numeric(3, 2) not null check (from_gpa between 0 and 4),
  to_gpa numeric(3, 2) not null check (to_gpa between 0 and 4),
  name text not null,
  name_local text not null,
  check (from_gpa < to_gpa),
  constraint gpa_ranges_overlap exclude using gist (bylaw_id with =, numrange(from_gpa, to_gpa, '[)') with &&)
);

create table load_ranges (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  from_gpa numeric(3, 2) not null check (from_gpa between 0 and 4),
  to_gpa numeric(3, 2) not null check (to_gpa between 0 and 4),
  max_ch_value smallint not null check (max_ch_value between 0 and 300),
  max_summer_ch_value smallint not null check (max_summer_ch_value between 0 and 300),
  max_courses smallint not null check (max_courses between 0 and 30),
  check (from_gpa < to_gpa),
  constraint load_ranges_overlap exclude using gist (bylaw_id with =, numrange(from_gpa, to_gpa, '[)') with &&)
);

create table courses (
  id integer generated always as identity primary key,
  -- The faculty that teaches it; null: the university.
  faculty_id integer references faculties,
  department_id integer references departments,
  code text not null,
  name text not null,
  name_local text not null,
  description text,
  lecture_hours smallint not null default 0 check (lecture_hours between 0 and 40),
  tutorial_hours smallint not null default 0 check (tutorial_hours between 0 and 40),
  laboratory_hours smallint not null default 0 check (laboratory_hours between 0 and 40),
  clinical_hours smallint not null default 0 check (clinical_hours between 0 and 40),
  credit_hours smallint not null check (credit_hours between 0 and 300),
  grade_kind text not null default 'letter' check (grade_kind in ('letter', 'pass_fail')),
  counts_in_gpa boolean not null default true,
  min_passed_hours smallint not null default 0 check (min_passed_hours between 0 and 300),
  min_level smallint not null default 0 check (min_level between 0 and 7),
  requirement text not null default 'none' check (requirement in ('none', 'university', 'faculty')),
  -- Boolean expression over courses: {"all": [...]}, {"any": [...]}, {"course": id, "min_points": "2.00"}; null: none.
  prerequisites jsonb,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint courses_code_key unique (code)
);
create index courses_faculty on courses (faculty_id);
create index courses_department on courses (department_id);
create index courses_search on courses using gin (search_text gin_trgm_ops);

-- Courses named in the prerequisite expression, so that none of them can vanish and cycles can be found.
create table course_prerequisites (
  course_id integer not null references courses on delete cascade,
  required_course_id integer not null references courses,
  primary key (course_id, required_course_id),
  check (course_id <> required_course_id)
);
create index course_prerequisites_required on course_prerequisites (required_course_id);
create table course_corequisites (
  course_id integer not null references courses on delete cascade,
  required_course_id integer not null references courses,
  primary key (course_id, required_course_id),
  check (course_id <> required_course_id)
);
create index course_corequisites_required on course_corequisites (required_course_id);
-- Further departments a course belongs to.
create table course_departments (
  course_id integer not null references courses on delete cascade,
  department_id integer not null references departments,
  primary key (course_id, department_id)
);
create index course_departments_department on course_departments (department_id);

-- University and faculty requirement lists of a bylaw; its programs take them over.
create table bylaw_requirements (
  bylaw_id integer not null references bylaws on delete cascade,
  type text not null check (type in ('university', 'faculty')),
  course_id integer not null references courses,
  primary key (bylaw_id, type, course_id)
);
create index bylaw_requirements_course on bylaw_requirements (course_id);

create table programs (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  faculty_id integer not null references faculties,
  department_id integer references departments,
  code text not null,
  name text not null,
  name_local text not null,
  degree text,
  degree_local text,
  -- A call that needs it and finds none answers ProgramTypeError.
  program_type text check (program_type in ('credit_hours', 'term', 'annual')),
  -- A general program is the common first part from which students specialise.
  is_general boolean not null default false,
  min_credit_hours smallint not null default 0 check (min_credit_hours between 0 and 300),
  semesters smallint not null default 8 check (semesters between 1 and 16),
  min_training_weeks smallint check (min_training_weeks between 0 and 300),
  admission_capacity integer check (admission_capacity >= 0),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint programs_code_key unique (code)
);
create index programs_bylaw on programs (bylaw_id);
create index programs_faculty on programs (faculty_id);
create index programs_department on programs (department_id);

create table program_pools (
  id integer generated always as identity primary key,
  program_id integer not null references programs on delete cascade,
  name text not null,
  name_local text not null,
  min_credit_hours smallint not null check (min_credit_hours between 0 and 1000),
  version integer not null default 1,
  constraint program_pools_program_id_id_key unique (program_id, id)
);

create table program_courses (
  id integer generated always as identity primary key,
  program_id integer not null references programs on delete cascade,
  course_id integer not null references courses,
  level smallint not null check (level between 0 and 7),
  semester smallint not null check (semester between 1 and 16),
  kind text not null check (kind in ('mandatory', 'elective', 'university', 'faculty')),
  pool_id integer,
  -- Prerequisites of this program in place of the course's; null: the course's.
  prerequisites jsonb,
  version integer not null default 1,
  -- No course twice in a plan.
  constraint program_courses_course_key unique (program_id, course_id),
  constraint program_courses_pool foreign key (program_id, pool_id) references program_pools (program_id, id),
  constraint program_courses_elective_pool check ((kind = 'elective') = (pool_id is not null))
);
create index program_courses_course on program_courses (course_id);
create index program_courses_pool_id on program_courses (pool_id);

create table program_requirements (
  program_id integer not null references programs on delete cascade,
  type text not null check (type in ('university', 'faculty')),
  course_id integer not null references courses,
  primary key (program_id, type, course_id)
);
create index program_requirements_course on program_requirements (course_id);

select audit_table(t) from unnest(array[
  'faculties', 'departments', 'bylaws', 'bylaw_levels', 'grade_types', 'grade_ranges', 'special_grades', 'gpa_ranges',
  'load_ranges', 'courses', 'course_prerequisites', 'course_corequisites', 'course_departments', 'bylaw_requirements',
  'programs', 'program_pools', 'program_courses', 'program_requirements']) as t;
