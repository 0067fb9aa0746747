-- What is taught: faculties, bylaws, courses and programs, years and terms, offerings with their meetings, calendars.

install function short_name_of_faculty, named_by_requirement, keep_grade_type, keep_grade_range, keep_settled_range,
  refuse_overlapping_year, hold_seats_of_window, refuse_smaller_room, is_network_list, hold_reopened_seats,
  guard_closed_names, keep_offering_words, audit_offering_slot, hold_added_seats, keep_meeting_move, equal_both_ways,
  guard_offering_words;

create table faculties (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  short_name text not null,
  dean_id integer,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint faculties_code_key unique (code),
  constraint faculties_dean foreign key (dean_id) references instructors
);
create index faculties_dean_id on faculties (dean_id);
create unique index faculties_code_in_any_case on faculties (lower(code));
select audit_table('faculties');
create trigger same_name before insert or update of name, removed_at on faculties
  for each row execute function refuse_same_name('code');
create trigger short_name before insert or update of short_name on faculties
  for each row execute function short_name_of_faculty();
create trigger named_by_requirement before update of removed_at on faculties for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on faculties for each row execute function named_by_requirement();

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
  constraint departments_code_key unique (code),
  constraint departments_head foreign key (head_id) references instructors,
  -- A department has one faculty, and who works in it works there: also when the department moves.
  constraint departments_of_faculty unique (id, faculty_id)
);
create index departments_faculty on departments (faculty_id);
create index departments_head_id on departments (head_id);
create unique index departments_code_in_any_case on departments (lower(code));
select audit_table('departments');
create trigger named_by_requirement before update of removed_at on departments for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on departments for each row execute function named_by_requirement();

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
  min_percentage_final_exam numeric(4, 2) not null default 0,
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
  -- Whether a summer term can earn a warning.
  warning_in_summer boolean not null default false,
  -- Credit hours of a student under warning; null: those of the load range alone.
  warning_max_ch_value smallint constraint bylaws_warning_max_ch_value check (warning_max_ch_value between 0 and 300),
  -- Highest points an improved course can earn; null: no limit.
  improve_max_points numeric(3, 2) constraint bylaws_improve_max_points check (improve_max_points between 0 and 4),
  -- What a bylaw says of repeating, and of the term in which a student can complete the degree. The defaults change nothing.
  -- How often a failed course may be taken again; null: any number of times.
  max_repeats smallint constraint bylaws_max_repeats check (max_repeats between 0 and 30),
  -- Credit hours and courses above the limit for whoever can complete the degree with them.
  graduating_extra_hours smallint not null default 0
    constraint bylaws_graduating_extra_hours check (graduating_extra_hours between 0 and 30),
  graduating_extra_courses smallint not null default 0
    constraint bylaws_graduating_extra_courses check (graduating_extra_courses between 0 and 10),
  -- What a withdrawn course still costs is a rule of the bylaw, decided when it is withdrawn and kept: who counts money reads
  -- it from here, and a later change of the rule changes nothing that was decided.
  withdrawal_charge numeric(5, 2) not null default 100
    constraint bylaws_withdrawal_charge check (withdrawal_charge between 0 and 100),
  -- Term-mark and annual bylaws: what they rule, how much a course is out of, and in which level a student is in which year.
  -- Share of the maximum with which a course is passed.
  pass_share numeric(5, 2) not null default 50 constraint bylaws_pass_share check (pass_share > 0 and pass_share <= 100),
  -- With how many failed courses a student goes on to the next level.
  max_carried smallint not null default 2 constraint bylaws_max_carried check (max_carried between 0 and 30),
  -- Whether the final level can be left with failed courses as well.
  carried_from_final_level boolean not null default false,
  -- A make-up exam of what was failed, before promotion is decided.
  second_session boolean not null default false,
  -- A course passed at a later sitting counts with the marks that pass, no more.
  later_sitting_capped boolean not null default true,
  -- Years that may be spent in all; null: as many as the levels allow together.
  max_chances smallint constraint bylaws_max_chances check (max_chances between 1 and 30),
  -- Code of the rating that each level must reach for honours; null: there are none.
  honours_rating text,
  -- What grace marks may turn, in the order in which they are spent.
  grace_order text[] not null default '{pass_course,promote,next_rating}'
    constraint bylaws_grace_order check (grace_order <@ array['pass_course', 'promote', 'next_rating']),
  -- Most grace marks for a course in a year; 0: none.
  grace_per_course numeric(5, 2) not null default 0 constraint bylaws_grace_per_course check (grace_per_course >= 0),
  -- Most in all in a year; null: no such limit.
  grace_in_all numeric(5, 2) constraint bylaws_grace_in_all check (grace_in_all >= 0),
  -- Most in all as a share of the maximum of the level; null: no such limit.
  grace_share numeric(5, 2) constraint bylaws_grace_share check (grace_share between 0 and 100),
  grace_on_transcript boolean not null default false,
  -- Attendance: who was at which meeting on which date, and what absences lead to by the rule of the bylaw.
  -- Shares of the meetings of the term, in percent; null: no rule.
  absence_warn_share numeric(5, 2) constraint bylaws_absence_warn_share check (absence_warn_share > 0 and absence_warn_share <= 100),
  absence_ban_share numeric(5, 2) constraint bylaws_absence_ban_share check (absence_ban_share > 0 and absence_ban_share <= 100),
  excused_absence_counts boolean not null default false,
  -- So many times late are one absence; 0: none.
  lates_per_absence smallint not null default 0 constraint bylaws_lates_per_absence check (lates_per_absence between 0 and 20),
  -- What an excused course still costs is a rule of the bylaw too, beside that of a withdrawn one: decided when the excuse is accepted,
  -- and kept. All of it unless the bylaw says otherwise, as it was before.
  excuse_charge numeric(5, 2) not null default 100
    constraint bylaws_excuse_charge check (excuse_charge between 0 and 100),
  constraint bylaws_code_key unique (code),
  -- The minimum of the final exam goes to 30 by credit hours; a regulation by marks may ask for more.
  constraint bylaws_min_percentage_final_exam_check check (min_percentage_final_exam >= 0),
  constraint bylaws_absence_order check (absence_warn_share <= absence_ban_share)
);
create index bylaws_faculty on bylaws (faculty_id);
create unique index bylaws_code_in_any_case on bylaws (lower(code));
select audit_table('bylaws');

create table bylaw_levels (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  level smallint not null check (level between 0 and 7),
  name text not null,
  name_local text not null,
  -- Passed hours that open this level.
  passed_hours smallint not null default 0 check (passed_hours between 0 and 300),
  -- Years that may be spent in the level; null: no limit.
  chances smallint default 2 constraint bylaw_levels_chances check (chances between 1 and 30),
  -- Whether its marks are part of the cumulative rating.
  counts_for_graduation boolean not null default true,
  constraint bylaw_levels_level_key unique (bylaw_id, level) deferrable
);
select audit_rows('bylaw_levels', 'bylaw_id');

create table grade_types (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  kind text not null check (kind in ('letter', 'pass_fail')),
  name text not null,
  name_local text not null,
  constraint grade_types_kind_key unique (bylaw_id, kind)
);
select audit_table('grade_types');
create trigger keep_grade before delete on grade_types for each row execute function keep_grade_type();
create trigger keep_grade_kind before update of kind on grade_types for each row when (new.kind <> old.kind) execute function keep_grade_type();

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
  -- Boundaries and letters of a set move together: what holds for the set is asked when the statement ends, not row by row.
  constraint grade_ranges_letter_key unique (grade_type_id, letter) deferrable,
  constraint grade_ranges_overlap
    exclude using gist (grade_type_id with =, numrange(from_percent, to_percent, '[)') with &&) deferrable
);
select audit_table('grade_ranges');
create constraint trigger keep_grade after delete or update of letter on grade_ranges deferrable initially deferred
  for each row execute function keep_grade_range();
create constraint trigger keep_settled after update of from_percent, to_percent, letter, points, success on grade_ranges
  deferrable initially deferred for each row
  when ((old.from_percent, old.to_percent, old.letter, old.points, old.success)
    is distinct from (new.from_percent, new.to_percent, new.letter, new.points, new.success))
  execute function keep_settled_range();

-- Grades that no range gives: absent, banned, withdrawn and the like.
create table special_grades (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  status text not null,
  letter text not null,
  name text not null,
  name_local text not null,
  points numeric(3, 2) not null default 0 check (points between 0 and 4),
  counts_in_gpa boolean not null,
  counts_in_attempted_hours boolean not null,
  constraint special_grades_status_key unique (bylaw_id, status),
  constraint special_grades_status_check
    check (status in ('Absent', 'Banned', 'Punished', 'Withdrawn', 'ForcedWithdrawn', 'Excused', 'Incomplete', 'Exempt', 'Audit'))
);
select audit_rows('special_grades', 'bylaw_id');

create table gpa_ranges (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  from_gpa numeric(3, 2) not null check (from_gpa between 0 and 4),
  to_gpa numeric(3, 2) not null check (to_gpa between 0 and 4),
  name text not null,
  name_local text not null,
  check (from_gpa < to_gpa),
  constraint gpa_ranges_overlap exclude using gist (bylaw_id with =, numrange(from_gpa, to_gpa, '[)') with &&) deferrable
);
select audit_rows('gpa_ranges', 'bylaw_id');

create table load_ranges (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  from_gpa numeric(3, 2) not null check (from_gpa between 0 and 4),
  to_gpa numeric(3, 2) not null check (to_gpa between 0 and 4),
  max_ch_value smallint not null check (max_ch_value between 0 and 300),
  max_summer_ch_value smallint not null check (max_summer_ch_value between 0 and 300),
  max_courses smallint not null check (max_courses between 0 and 30),
  check (from_gpa < to_gpa),
  constraint load_ranges_overlap exclude using gist (bylaw_id with =, numrange(from_gpa, to_gpa, '[)') with &&) deferrable
);
select audit_rows('load_ranges', 'bylaw_id');

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
  -- Credit hours have up to two decimals: courses of 1.5 hours, of 7.5 ECTS, and sums that are exact. Limits that a bylaw gives
  -- (hours of a level, of a degree, of a term) are whole numbers.
  credit_hours numeric(6, 2) not null check (credit_hours between 0 and 300),
  grade_kind text not null default 'letter' check (grade_kind in ('letter', 'pass_fail')),
  counts_in_gpa boolean not null default true,
  min_passed_hours numeric(6, 2) not null default 0 check (min_passed_hours between 0 and 300),
  min_level smallint not null default 0 check (min_level between 0 and 7),
  requirement text not null default 'none' check (requirement in ('none', 'university', 'faculty')),
  -- Boolean expression over courses: {"all": [...]}, {"any": [...]}, {"course": id, "min_points": "2.00"}; null: none.
  prerequisites jsonb,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Under a regulation by marks: out of how many marks the course is.
  max_mark smallint not null default 100 constraint courses_max_mark check (max_mark between 1 and 999),
  constraint courses_code_key unique (code)
);
create index courses_faculty on courses (faculty_id);
create index courses_department on courses (department_id);
create index courses_search on courses using gin (search_text gin_trgm_ops);
create unique index courses_code_in_any_case on courses (lower(code));
select audit_table('courses');
create trigger named_by_requirement before update of removed_at on courses for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on courses for each row execute function named_by_requirement();

-- Courses named in the prerequisite expression, so that none of them can vanish and cycles can be found.
create table course_prerequisites (
  course_id integer not null references courses on delete cascade,
  required_course_id integer not null references courses,
  primary key (course_id, required_course_id),
  check (course_id <> required_course_id)
);
create index course_prerequisites_required on course_prerequisites (required_course_id);
select audit_table('course_prerequisites');

create table course_corequisites (
  course_id integer not null references courses on delete cascade,
  required_course_id integer not null references courses,
  primary key (course_id, required_course_id),
  check (course_id <> required_course_id)
);
create index course_corequisites_required on course_corequisites (required_course_id);
select audit_table('course_corequisites');

-- Further departments a course belongs to.
create table course_departments (
  course_id integer not null references courses on delete cascade,
  department_id integer not null references departments,
  primary key (course_id, department_id)
);
create index course_departments_department on course_departments (department_id);
select audit_table('course_departments');

-- University and faculty requirement lists of a bylaw; its programs take them over.
create table bylaw_requirements (
  bylaw_id integer not null references bylaws on delete cascade,
  type text not null check (type in ('university', 'faculty')),
  course_id integer not null references courses,
  primary key (bylaw_id, type, course_id)
);
create index bylaw_requirements_course on bylaw_requirements (course_id);
select audit_table('bylaw_requirements');

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
  min_credit_hours numeric(6, 2) not null default 0 check (min_credit_hours between 0 and 300),
  semesters smallint not null default 8 check (semesters between 1 and 16),
  min_training_weeks smallint check (min_training_weeks between 0 and 300),
  admission_capacity integer check (admission_capacity >= 0),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Postgraduate programs and their research plans: the stages of the degree, each with its order and the semesters in which
  -- it may lie. A default that is a constant is added without writing the table anew.
  study_level text not null default 'undergraduate'
    constraint programs_study_level check (study_level in ('undergraduate', 'postgraduate')),
  -- Places that a program has for students who transfer to it in one term; null: as many as come.
  transfer_places integer check (transfer_places >= 0),
  constraint programs_code_key unique (code)
);
create index programs_bylaw on programs (bylaw_id);
create index programs_faculty on programs (faculty_id);
create index programs_department on programs (department_id);
create unique index programs_code_in_any_case on programs (lower(code));
select audit_table('programs');
create trigger same_name before insert or update of name, bylaw_id, removed_at on programs
  for each row execute function refuse_same_name('code', 'bylaw_id');

create table program_pools (
  id integer generated always as identity primary key,
  program_id integer not null references programs on delete cascade,
  name text not null,
  name_local text not null,
  min_credit_hours numeric(6, 2) not null check (min_credit_hours between 0 and 1000),
  version integer not null default 1,
  constraint program_pools_program_id_id_key unique (program_id, id)
);
select audit_table('program_pools');
create trigger named_by_requirement_deleted before delete on program_pools for each row execute function named_by_requirement();

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
  -- In this plan; null: as the course says.
  max_mark smallint constraint program_courses_max_mark check (max_mark between 1 and 999),
  -- No course twice in a plan.
  constraint program_courses_course_key unique (program_id, course_id),
  constraint program_courses_pool foreign key (program_id, pool_id) references program_pools (program_id, id),
  constraint program_courses_elective_pool check ((kind = 'elective') = (pool_id is not null))
);
create index program_courses_course on program_courses (course_id);
create index program_courses_pool_id on program_courses (pool_id);
select audit_table('program_courses');

create table program_requirements (
  program_id integer not null references programs on delete cascade,
  type text not null check (type in ('university', 'faculty')),
  course_id integer not null references courses,
  primary key (program_id, type, course_id)
);
create index program_requirements_course on program_requirements (course_id);
select audit_table('program_requirements');

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
create unique index years_code_in_any_case on years (lower(code));
select audit_table('years');
create trigger same_name before insert or update of name, removed_at on years
  for each row execute function refuse_same_name('code');
create trigger overlapping before insert or update of start_date, end_date, removed_at on years
  for each row execute function refuse_overlapping_year();

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
create unique index terms_code_in_any_case on terms (lower(code));
select audit_table('terms');

-- Which term each part of the university works in now.
create table current_terms (
  key text primary key check (key in ('current_term', 'current_admission_term', 'current_admission_term_UG',
    'current_admission_term_PG', 'current_transfer_term', 'current_control_term', 'current_exam_term')),
  term_id integer not null references terms
);
select audit_table('current_terms');

create table stage_codes (
  id integer generated always as identity primary key,
  code text not null unique check (code in ('register', 'add_drop', 'withdraw', 'excuse', 'grade_entry', 'control',
    'results', 'questionnaire', 'recheck', 'exam')),
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored
);
create unique index stage_codes_code_in_any_case on stage_codes (lower(code));
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
create unique index stage_groups_code_in_any_case on stage_groups (lower(code));
select audit_table('stage_groups');

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
select audit_table('term_stages');
create trigger hold_seats_of_window after insert or update of starts_at, ends_at, stage_group_id, stage_code_id, removed_at on term_stages
  for each row execute function hold_seats_of_window();

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
create unique index slots_code_in_any_case on slots (lower(code));
select audit_table('slots');

-- Which time applies: one row per kind of slot.
create table ramadan_status (
  kind text primary key check (kind in ('slots', 'exam_slots')),
  is_ramadan boolean not null default false,
  changed_at timestamptz not null default now()
);
insert into ramadan_status (kind) values ('slots'), ('exam_slots');
select audit_table('ramadan_status');

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
create unique index buildings_code_in_any_case on buildings (lower(code));
select audit_table('buildings');

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
  -- From where codes are scanned in a room: networks, separated by commas; null: from anywhere.
  attendance_networks text constraint location_networks check (is_network_list(attendance_networks)),
  constraint locations_code_key unique (code)
);
create index locations_building on locations (building_id);
create unique index locations_code_in_any_case on locations (lower(code));
select audit_table('locations');
create trigger smaller_room before update of capacity, location_type on locations
  for each row when (new.location_type <> 'online' and (new.capacity < old.capacity or old.location_type = 'online'))
  execute function refuse_smaller_room();

create table offerings (
  id integer generated always as identity primary key,
  term_id integer not null references terms,
  course_id integer not null references courses,
  faculty_id integer references faculties,
  department_id integer references departments,
  -- Tells offerings of one course in one term apart.
  code text not null,
  -- Cross-listed: its students sit in the groups and take the seats of this offering.
  linked_offering_id integer references offerings,
  level smallint check (level between 0 and 7),
  is_open boolean not null default true,
  min_students integer not null default 0 check (min_students >= 0),
  max_students integer check (max_students >= 0),
  control_status text not null default 'Draft' check (control_status in ('Draft', 'Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen')),
  mark_id integer,
  notes text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint offerings_code_key unique (term_id, course_id, code),
  constraint offerings_id_term_key unique (id, term_id),
  constraint offerings_not_linked_to_itself check (linked_offering_id <> id),
  -- The course of a registration is the course of its offering: one key says so and stands for two, which every
  -- registration would have to pay for.
  constraint offerings_id_term_course_key unique (id, term_id, course_id)
);
create index offerings_course on offerings (course_id);
create index offerings_faculty on offerings (faculty_id);
create index offerings_department on offerings (department_id);
create index offerings_linked on offerings (linked_offering_id);
create index offerings_mark on offerings (mark_id);
select audit_table('offerings');
create trigger hold_reopened_seats after update of is_open, control_status on offerings
  for each row when (new.is_open and new.control_status = 'Draft' and not (old.is_open and old.control_status = 'Draft'))
  execute function hold_reopened_seats();
create trigger closed_names before update of control_status on offerings for each row
  when (old.control_status = 'Draft' and new.control_status <> 'Draft') execute function guard_closed_names();
create trigger words_inserted after insert on offerings for each row
  when (new.control_status in ('Approved', 'Published', 'Frozen')) execute function keep_offering_words();
create trigger words_kept after update of control_status on offerings for each row
  when ((old.control_status in ('Approved', 'Published', 'Frozen')) <> (new.control_status in ('Approved', 'Published', 'Frozen')))
  execute function keep_offering_words();

create table offering_instructors (
  offering_id integer not null references offerings on delete cascade,
  instructor_id integer not null references instructors,
  role text not null default 'instructor' check (role in ('leader', 'instructor', 'assistant')),
  primary key (offering_id, instructor_id)
);
create index offering_instructors_instructor on offering_instructors (instructor_id);
select audit_table('offering_instructors');

-- Programs (and a level of them) for which it is open; none: for every program whose plan has the course.
create table offering_programs (
  offering_id integer not null references offerings on delete cascade,
  program_id integer not null references programs,
  level smallint check (level between 0 and 7),
  primary key (offering_id, program_id)
);
create index offering_programs_program on offering_programs (program_id);
select audit_table('offering_programs');

create table offering_groups (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  number smallint not null check (number between 1 and 500),
  name text,
  constraint offering_groups_number_key unique (offering_id, number),
  constraint offering_groups_offering_id_key unique (offering_id, id)
);
select audit_table('offering_groups');

-- One weekly meeting of one group. Seats are counted here.
create table offering_slots (
  id integer generated always as identity primary key,
  offering_id integer not null,
  term_id integer not null,
  group_id integer not null,
  type text not null check (type in ('Lecture', 'Lab', 'Tutorial', 'Clinic')),
  -- 0 Saturday … 6 Friday; null with slot: not yet placed
  day smallint check (day between 0 and 6),
  slot_id integer references slots,
  location_id integer references locations,
  quota integer not null check (quota >= 0),
  over_quota integer not null default 0 check (over_quota >= 0),
  taken integer not null default 0,
  version integer not null default 1,
  -- Meetings of one group and type are alternatives: a student attends one of them. Those that bear the same section are
  -- attended together (a lecture of two periods a week).
  section text
    constraint offering_slots_section check (section = btrim(section) and char_length(section) between 1 and 10),
  -- A seat that is freed or added while somebody waits for it is held for the queue in the same transaction, whoever
  -- writes: until the queue has given it to the first who may have it, or has found nobody, others see a full meeting.
  -- `waiting`: places in the queue that want this meeting. `held`: free seats that only the queue may give; once held, a
  -- seat is turned into a taken one, or released, and nothing else takes it.
  waiting integer not null default 0,
  held integer not null default 0,
  constraint offering_slots_group foreign key (offering_id, group_id) references offering_groups (offering_id, id) on delete cascade,
  constraint offering_slots_placed check ((day is null) = (slot_id is null)),
  -- A room holds one meeting at a time. Two meetings may exchange rooms in one save: looked at when the transaction ends, if it
  -- asks for that.
  constraint offering_slots_room unique (term_id, location_id, day, slot_id) deferrable initially immediate,
  -- Whatever the number of processes: never more than the seats there are.
  constraint offering_slots_seats
    check (taken >= 0 and held >= 0 and held <= waiting and taken + held <= quota + over_quota),
  constraint offering_slots_offering foreign key (offering_id, term_id)
    references offerings (id, term_id) on update cascade on delete cascade
);
create index offering_slots_offering_id on offering_slots (offering_id, term_id);
create index offering_slots_group_id on offering_slots (group_id);
create index offering_slots_location on offering_slots (location_id);
create index offering_slots_slot on offering_slots (slot_id);
create trigger audit_update after update of offering_id, term_id, group_id, type, section, day, slot_id, location_id, quota,
  over_quota on offering_slots for each row when (old.* is distinct from new.*) execute function audit_offering_slot();
-- Seats and places are counted, not edited: they say nothing in the audit trail. Of changes only what a meeting is goes there,
-- and taking a seat does not pay for it.
create trigger audit_insert after insert on offering_slots referencing new table as new_rows
  for each statement execute function audit_change('{id}', '{taken,waiting,held,search_text,version,created_at,updated_at}');
create trigger audit_delete after delete on offering_slots referencing old table as old_rows
  for each statement execute function audit_change('{id}', '{taken,waiting,held,search_text,version,created_at,updated_at}');
create trigger hold_added_seats before update of quota, over_quota on offering_slots
  for each row when (new.waiting > 0 and (new.quota <> old.quota or new.over_quota < old.over_quota))
  execute function hold_added_seats();
create trigger keep_move after update of day, slot_id, location_id on offering_slots for each row
  when ((old.day, old.slot_id, old.location_id) is distinct from (new.day, new.slot_id, new.location_id))
  execute function keep_meeting_move();

create table offering_slot_instructors (
  offering_slot_id integer not null references offering_slots on delete cascade,
  instructor_id integer not null references instructors,
  primary key (offering_slot_id, instructor_id)
);
create index offering_slot_instructors_instructor on offering_slot_instructors (instructor_id);
select audit_table('offering_slot_instructors');

-- Courses that count as each other: whoever has passed one has passed the other.
create table course_equals (
  course_id integer not null references courses on delete cascade,
  equal_course_id integer not null references courses,
  primary key (course_id, equal_course_id),
  constraint course_equals_other check (course_id <> equal_course_id)
);
create index course_equals_equal on course_equals (equal_course_id);
select audit_table('course_equals');
create trigger equal_both_ways_insert after insert on course_equals referencing new table as new_rows
  for each statement execute function equal_both_ways();
create trigger equal_both_ways_delete after delete on course_equals referencing old table as old_rows
  for each statement execute function equal_both_ways();

create table program_stages (
  id integer generated always as identity primary key,
  program_id integer not null references programs on delete cascade,
  position smallint not null check (position >= 0),
  stage text not null check (stage in ('coursework', 'qualifying_exam', 'proposal', 'seminar', 'publication', 'defence')),
  -- How often: seminars held, papers published.
  times smallint not null default 1 check (times between 1 and 20),
  -- Semesters of the program, counted from 1; null: at any time.
  earliest_semester smallint check (earliest_semester between 1 and 16),
  latest_semester smallint check (latest_semester between 1 and 16),
  constraint program_stages_once unique (program_id, stage) deferrable,
  constraint program_stages_window check (earliest_semester <= latest_semester)
);
create index program_stages_program on program_stages (program_id, position);
select audit_rows('program_stages', 'program_id');

create table withdrawal_charges (
  id integer generated always as identity primary key,
  registration_id integer not null unique,
  -- Percent of the fees of the course.
  percent numeric(5, 2) not null check (percent between 0 and 100),
  decided_at timestamptz not null default now()
);
select audit_rows('withdrawal_charges', 'registration_id');

-- What the trees that hold name, and in which requirement: kept by the database, so that nothing that is named goes away.
create table requirement_refs (
  tree_id integer not null,
  key text not null,
  -- What requirements name is refused with where it is named (the trigger `named_by_requirement`), not only as being in use.
  course_id integer references courses on delete cascade,
  tag_id integer references tags on delete cascade,
  department_id integer references departments on delete cascade,
  faculty_id integer references faculties on delete cascade,
  pool_id integer references program_pools on delete cascade,
  constraint requirement_refs_to_one check (num_nonnulls(course_id, tag_id, department_id, faculty_id, pool_id) = 1)
);
create index requirement_refs_tree on requirement_refs (tree_id);
create index requirement_refs_course on requirement_refs (course_id) where course_id is not null;
create index requirement_refs_tag on requirement_refs (tag_id) where tag_id is not null;
create index requirement_refs_department on requirement_refs (department_id) where department_id is not null;
create index requirement_refs_faculty on requirement_refs (faculty_id) where faculty_id is not null;
create index requirement_refs_pool on requirement_refs (pool_id) where pool_id is not null;

-- Words on courses, by which requirements can take them.
create table course_tags (
  course_id integer not null references courses on delete cascade,
  tag_id integer not null references tags,
  primary key (course_id, tag_id)
);
create index course_tags_tag on course_tags (tag_id, course_id);
select audit_table('course_tags');

-- Courses that are an exception from carrying failed courses to the next level.
create table bylaw_carried_courses (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  course_id integer not null references courses,
  -- required: whoever failed it stays; uncounted: carried beside the others.
  kind text not null check (kind in ('required', 'uncounted')),
  constraint bylaw_carried_courses_course_key unique (bylaw_id, course_id) deferrable
);
create index bylaw_carried_courses_course on bylaw_carried_courses (course_id);
select audit_rows('bylaw_carried_courses', 'bylaw_id');

-- How results by credit hours and results by marks are told in each other, by the table of a bylaw: each line joins a stretch
-- of the share of the maximum with one of the points, and within a line both rise together.
create table bylaw_conversions (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  from_share numeric(5, 2) not null check (from_share >= 0),
  to_share numeric(5, 2) not null check (to_share <= 100),
  from_points numeric(4, 2) not null check (from_points >= 0),
  to_points numeric(4, 2) not null check (to_points <= 4),
  constraint bylaw_conversions_rise check (from_share < to_share and from_points < to_points),
  constraint bylaw_conversions_share_key unique (bylaw_id, from_share) deferrable,
  constraint bylaw_conversions_points_key unique (bylaw_id, from_points) deferrable
);
select audit_rows('bylaw_conversions', 'bylaw_id');

-- Calendars in layers, moves of weekly meetings, and the days on which a meeting takes place.

create table calendar_events (
  id integer generated always as identity primary key,
  layer text not null check (layer in ('university', 'faculty', 'students', 'staff', 'ramadan')),
  name text not null,
  name_local text not null,
  start_date date not null,
  end_date date not null,
  -- Both, or the whole day.
  start_time time,
  end_time time,
  -- A layer of students or staff may be that of one faculty.
  faculty_id integer references faculties,
  -- Meetings do not take place on these days.
  no_teaching boolean not null default false,
  colour text not null default 'blue' check (colour in ('blue', 'green', 'amber', 'red', 'slate')),
  search_text text generated always as (fold_text(name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_events_order check (start_date <= end_date),
  constraint calendar_events_length check (end_date - start_date <= 366),
  constraint calendar_events_hours check ((start_time is null) = (end_time is null)),
  constraint calendar_events_hours_order check (start_date < end_date or start_time < end_time),
  constraint calendar_events_faculty check (case layer when 'faculty' then faculty_id is not null
    when 'university' then faculty_id is null when 'ramadan' then faculty_id is null else true end),
  -- A day off of those who work here, and Ramadan, take no lecture away.
  constraint calendar_events_teaching check (not no_teaching or layer in ('university', 'faculty', 'students')),
  -- Lectures are held on a day or not.
  constraint calendar_events_whole_days check (not no_teaching or start_time is null)
);
create index calendar_events_days on calendar_events (start_date, end_date) where removed_at is null;
create index calendar_events_of_faculty on calendar_events (faculty_id);
select audit_table('calendar_events');

-- Where and when a meeting was before it was moved, who moved it, and on which days it was held there.
create table meeting_moves (
  id integer generated always as identity primary key,
  meeting_id integer not null references offering_slots on delete cascade,
  moved_at timestamptz not null default clock_timestamp(),
  moved_by integer references users,
  day smallint,
  slot_id integer references slots,
  location_id integer references locations,
  to_day smallint,
  to_slot_id integer references slots,
  to_location_id integer references locations,
  -- Days of the earlier place, both included; empty: it was never held there.
  held_from date,
  held_until date,
  reason text,
  -- Clashes that were known and wanted.
  overridden text[] not null default '{}',
  constraint meeting_moves_held check ((held_from is null) = (held_until is null) and held_from <= held_until)
);
create index meeting_moves_meeting on meeting_moves (meeting_id, id);
create index meeting_moves_by on meeting_moves (moved_by);
create index meeting_moves_slot on meeting_moves (slot_id);
create index meeting_moves_to_slot on meeting_moves (to_slot_id);
create index meeting_moves_location on meeting_moves (location_id);
create index meeting_moves_to_location on meeting_moves (to_location_id);

-- A person's calendar at a secret address: only its hash is kept, and it is dead at once when it is revoked.
create table calendar_feeds (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- What the calendar was made of when it was last written, and when that changed.
  fingerprint text,
  changed_at timestamptz not null default now()
);
create unique index calendar_feeds_one on calendar_feeds (user_id) where revoked_at is null;
create index calendar_feeds_user on calendar_feeds (user_id);
select audit_table('calendar_feeds', array['token_hash', 'fingerprint', 'changed_at']);

-- Office hours of who teaches: every week, while there are lectures.
create table office_hours (
  id integer generated always as identity primary key,
  instructor_id integer not null references instructors,
  day smallint not null check (day between 0 and 6),
  start_time time not null,
  end_time time not null,
  location_id integer references locations,
  place text,
  place_local text,
  search_text text generated always as (fold_text(coalesce(place, '') || ' ' || coalesce(place_local, ''))) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint office_hours_order check (start_time < end_time),
  constraint office_hours_place check (location_id is not null or place is not null or place_local is not null),
  -- Nobody is in two places.
  constraint office_hours_overlap exclude using gist (instructor_id with =, day with =,
    tsrange('2000-01-01'::date + start_time, '2000-01-01'::date + end_time) with &&) where (removed_at is null)
);
create index office_hours_instructor on office_hours (instructor_id);
create index office_hours_location on office_hours (location_id);
select audit_table('office_hours');

-- Exams of a term: their days, slots and halls, which offering is examined when and where, and who invigilates.

-- Named periods in which exams are held, each with its time in Ramadan.
create table exam_slots (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  start_time time not null,
  end_time time not null,
  ramadan_start_time time not null,
  ramadan_end_time time not null,
  constraint exam_slots_code_key unique (code),
  constraint exam_slots_regular_order check (start_time < end_time),
  constraint exam_slots_ramadan_order check (ramadan_start_time < ramadan_end_time)
);
create unique index exam_slots_code_in_any_case on exam_slots (lower(code));
select audit_table('exam_slots');

-- What was approved keeps its words: code, names and hours of a course as they were when the result of an offering was approved.
-- A course that is renamed later is called so from then on, in what runs and what comes; history stays as it was.

create table offering_words (
  offering_id integer primary key references offerings on delete cascade,
  code text not null,
  name text not null,
  name_local text not null,
  credit_hours numeric(6, 2) not null,
  at timestamptz not null default now(),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored
);
create trigger kept before insert or update or delete on offering_words for each row execute function guard_offering_words();

-- What of an offering stands on the learning platform, and how its last synchronisation ended.
create table offering_platforms (
  offering_id integer primary key references offerings on delete cascade,
  -- The course there; empty: it was never made.
  course text,
  address text,
  -- Whoever synchronises has it; a run that died gives it up after a while.
  begun_at timestamptz,
  finished_at timestamptz,
  state text check (state in ('synced', 'partly', 'failed')),
  result jsonb,
  check ((state is null) = (finished_at is null))
);

-- What approved results stand on in a bylaw is not changed under them: it changes from a term on. What held until then is kept
-- whole, and computes earlier terms as before.
create table bylaw_editions (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  -- The first term in which these settings hold no more.
  until_term_id integer not null references terms,
  settings jsonb not null,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint bylaw_edition_once unique (bylaw_id, until_term_id)
);
create index bylaw_editions_term on bylaw_editions (until_term_id);
create index bylaw_editions_created_by on bylaw_editions (created_by);
select audit_rows('bylaw_editions', 'bylaw_id');

-- What happens here when rows of other wings change -----------------------------------------------------------------

create trigger named_by_requirement before update of removed_at on tags for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on tags for each row execute function named_by_requirement();

-- What points to tables that come after it ---------------------------------------------------------------------------

alter table users add constraint users_faculty_id_fkey foreign key (faculty_id) references faculties;
alter table users add constraint users_department_id_fkey foreign key (department_id) references departments;
alter table users add constraint department_of_other_faculty foreign key (department_id, faculty_id)
  references departments (id, faculty_id) on update cascade;
alter table instructors add constraint instructors_faculty_id_fkey foreign key (faculty_id) references faculties;
alter table instructors add constraint instructors_department_id_fkey
  foreign key (department_id) references departments;
alter table instructors add constraint instructors_office_id_fkey foreign key (office_id) references locations;

-- Views ---------------------------------------------------------------------------------------------------------------

-- What an offering holds. `seats` is how many students can attend everything: of each group the scarcest type counts, of a
-- type all its alternatives together, of an alternative its smallest meeting. `free` is the same of what is left. A held seat
-- is not free.
create view offering_seats as
select offering_id,
  count(*)::int as groups,
  sum(meetings)::int as meetings,
  sum(unplaced)::int as unplaced,
  sum(quota)::int as seats,
  sum(over_quota)::int as over_seats,
  sum(free)::int as free
from (
  select offering_id, group_id, sum(meetings) as meetings, sum(unplaced) as unplaced, min(quota) as quota,
    min(over_quota) as over_quota, min(free) as free
  from (
    select offering_id, group_id, type, sum(meetings) as meetings, sum(unplaced) as unplaced, sum(quota) as quota,
      sum(over_quota) as over_quota, sum(free) as free
    from (
      select offering_id, group_id, type, coalesce(section, id::text || '#') as section, count(*) as meetings,
        count(*) filter (where day is null) as unplaced, min(quota) as quota, min(over_quota) as over_quota,
        min(greatest(quota - taken - held, 0)) as free
      from offering_slots group by 1, 2, 3, 4
    ) sections group by 1, 2, 3
  ) types group by 1, 2
) groups group by 1;

-- What a part of the university lies in, itself included: a program in its bylaw, department and faculty.
create view units_within as
  select 'faculty'::text as unit, id as unit_id, 'faculty'::text as lies_in, id as lies_in_id from faculties
  union all select 'department', id, 'department', id from departments
  union all select 'department', id, 'faculty', faculty_id from departments
  union all select 'bylaw', id, 'bylaw', id from bylaws
  union all select 'bylaw', id, 'faculty', faculty_id from bylaws
  union all select 'program', id, 'program', id from programs
  union all select 'program', id, 'bylaw', bylaw_id from programs
  union all select 'program', id, 'department', department_id from programs where department_id is not null
  union all select 'program', id, 'faculty', faculty_id from programs;

-- What the program and other functions call.
install function bylaw_settled, days_without_teaching, meeting_places, teaching_dates, week_place;
