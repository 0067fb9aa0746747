-- Students and what is known of them: documents, registrations and their marks, terms, levels, degrees, merged records.

install function refuse_future_birth, end_shares_of_student, keep_merged_removed, one_person, add_payers,
  figures_changed, settle_documents_of_students, keep_missing_documents, know_missing_documents,
  settle_documents_of_new, guard_scheme, keep_control_steps, audit_new_registrations, void_result,
  guard_removed_registrations, revise_changed_registrations, changed_registrations, outdate_invoices, left_how,
  decide_withdrawal_charge, touched_registrations, outdate_invoices_of_new, registration_with_its_case,
  results_removed, changed_marks, touched_marks, unsealed_insert, unsealed_update, unsealed_delete, refuse_held_paper,
  requirement_tree_stays, requirement_tree_follows, requirement_tree_refs, degree_exception_stays, keep_rating,
  grace_rule_applied, place_result, follow_merged_records, refuse_merge_of_two_people, refuse_link_change,
  keep_exam_barcode, exam_paper_moved, keep_anonymous_offering, keep_exam_name_reader, keep_exam_paper_change,
  refuse_paper_move_change, settle_documents_of_all, settle_documents_of_rows, revise_with_offering,
  end_shares_of_user, usual_ratings, level_result_stands, keep_level, results_of_offering_changed, term_after,
  figures_held_back;

create table students (
  id integer generated always as identity primary key,
  user_id integer references users,
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
  passed_hours numeric(8, 2) not null default 0 check (passed_hours >= 0),
  warnings smallint not null default 0 check (warnings >= 0),
  search_text text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- GPA, passed hours, warnings, level and status before the first term was finished: what stands when no row does.
  entry_standing jsonb,
  -- Dismissal: the last finished term says so, and its figures are out. It follows the results back as well; a dismissal
  -- that somebody decided stays.
  dismissed_term_id integer references terms,
  -- Names in parts, where they are known: of the person, the father, the grandfather and the family, in each script; and the
  -- name by which somebody is called. The full name is what the parts make (`areas/people/names/name.rules.ts`).
  given_name text,
  father_name text,
  grandfather_name text,
  family_name text,
  given_name_local text,
  father_name_local text,
  grandfather_name_local text,
  family_name_local text,
  used_name text,
  used_name_local text,
  -- The term whose dismissal a decision has lifted: computing it again dismisses nobody a second time.
  readmitted_term_id integer references terms,
  -- The study the student is in began after this term (null: with the first), and what stands before its first finished term is
  -- in `entry_standing`, from `after_term_id` of it on.
  study_after_term_id integer references terms,
  -- Opened beside another record of the same person, knowing that.
  is_second_record boolean not null default false,
  status_decision_id integer,
  constraint students_code_key unique (code),
  constraint students_national_id_key
    exclude using gist (national_id with =, (coalesce(user_id, -id)) with <>) where (national_id is not null and removed_at is null) deferrable,
  constraint status_decided check (status = 'studying' or status_decision_id is not null)
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
-- How many students there are is counted for every page of the list.
create index students_present on students (id) where removed_at is null;
create index students_gpa on students (gpa, id);
create index students_gpa_down on students (gpa desc nulls last, id desc);
create index students_warnings_down on students (warnings desc nulls last, id desc);
create index students_level on students (level, id);
create index students_dismissed_term on students (dismissed_term_id) where dismissed_term_id is not null;
-- Pages of the list in its usual order, however far down: what is passed over is read in the index alone.
create index students_code_present on students (code, id) where removed_at is null;
-- An e-mail address is that of one person. A record and the account of the same person share it, as do the records of
-- somebody who both teaches and studies. An account that waits to be bound to its record is not yet known to be another.
create index students_email on students (lower(email)) where email is not null;
create index students_passed_hours on students (passed_hours, id);
create index students_readmitted_term on students (readmitted_term_id) where readmitted_term_id is not null;
create unique index student_in_program_already on students (program_id, user_id) where user_id is not null and removed_at is null;
create index students_user on students (user_id) where user_id is not null;
create unique index students_code_in_any_case on students (lower(code));
create index students_status_decision on students (status_decision_id) where status_decision_id is not null;
select audit_table('students');
-- A day more than the server's: it may be a day behind the university.
create trigger future_birth before insert or update of birth_date on students
  for each row when (new.birth_date > current_date + 1) execute function refuse_future_birth();
create trigger email_lock_insert before insert on students for each statement execute function lock_emails();
create trigger email_lock_update before update of email, removed_at on students for each statement
  execute function lock_emails();
create trigger email_update before update of email, removed_at on students
  for each row when (new.email is not null and new.removed_at is null and (lower(new.email) is distinct from lower(old.email) or old.removed_at is not null))
  execute function refuse_email_of_another();
create trigger end_shares after update of status, blocked_at, removed_at on students
  for each row execute function end_shares_of_student();
create trigger keep_name_parts_insert before insert on students
  for each row when (new.given_name is not null or new.given_name_local is not null)
  execute function keep_name_parts();
create trigger keep_name_parts before update of name, name_local, given_name, father_name, grandfather_name,
  family_name, given_name_local, father_name_local, grandfather_name_local, family_name_local on students for each row
  execute function keep_name_parts();
create trigger name_account after update of name, name_local, given_name, father_name, grandfather_name, family_name,
  given_name_local, father_name_local, grandfather_name_local, family_name_local, used_name, used_name_local
  on students
  for each row when (new.user_id is not null and (old.name, old.name_local, old.given_name, old.father_name, old.grandfather_name, old.family_name, old.given_name_local, old.father_name_local, old.grandfather_name_local, old.family_name_local, old.used_name, old.used_name_local) is distinct from (new.name, new.name_local, new.given_name, new.father_name, new.grandfather_name, new.family_name, new.given_name_local, new.father_name_local, new.grandfather_name_local, new.family_name_local, new.used_name, new.used_name_local))
  execute function name_account_by_record();
create trigger search_text before insert or update of code, name, name_local, used_name, used_name_local, search_text
  on students for each row execute function search_text_of_person();
create constraint trigger merged_stays_removed after update of removed_at on students deferrable initially deferred
  for each row when (old.removed_at is not null and new.removed_at is null)
  execute function keep_merged_removed('student');
create trigger one_person after update of national_id, birth_date, gender on students
  for each row when (new.user_id is not null and new.removed_at is null and (old.national_id, old.birth_date, old.gender)
    is distinct from (new.national_id, new.birth_date, new.gender)) execute function one_person();
create trigger add_payers after insert on students referencing new table as new_rows
  for each statement execute function add_payers();
create trigger email_insert after insert on students referencing new table as new_rows
  for each statement execute function refuse_emails_of_others();
create trigger basis_update after update on students referencing old table as old_rows new table as new_rows
  for each statement execute function figures_changed();
create trigger settle_documents_of_changed after update on students
  referencing old table as students_before new table as students_now for each statement execute function settle_documents_of_students();
create trigger keep_missing_documents before update of missing_documents on students
  for each row execute function keep_missing_documents();
create trigger know_missing_documents before insert on students
  for each row execute function know_missing_documents();
create trigger settle_documents_of_new after insert on students
  referencing new table as students_now for each statement execute function settle_documents_of_new();
create trigger one_telephone_of_new after insert on students
  referencing new table as new_rows for each statement execute function one_telephone_of_records();
create trigger one_telephone after update on students
  referencing old table as old_rows new table as new_rows for each statement execute function one_telephone_of_records();

-- What keeps a student from registering. Finance, surveys and documents put their holds here and lift them.
create table student_holds (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  kind text not null check (kind in ('unpaid_invoice', 'obligatory_survey', 'blocked', 'missing_documents')),
  note text,
  note_local text,
  since date not null default university_today(),
  lifted_at timestamptz,
  -- An invoice that is overdue holds its student; one hold each.
  invoice_id integer references invoices,
  -- What lacks holds: a hold for each kind, put and lifted here alone.
  document_kind_id integer,
  constraint document_hold_of_kind
    check ((kind = 'missing_documents' and lifted_at is null) <= (document_kind_id is not null) and (document_kind_id is null or kind = 'missing_documents'))
);
create index student_holds_open on student_holds (student_id) where lifted_at is null;
create unique index student_holds_invoice on student_holds (invoice_id) where lifted_at is null and invoice_id is not null;
create index student_holds_of_invoice on student_holds (invoice_id);
create unique index student_holds_document on student_holds (student_id, document_kind_id) where lifted_at is null and document_kind_id is not null;
create index student_holds_of_document on student_holds (document_kind_id);
select audit_table('student_holds');

-- Offerings: a course taught in a term, with its team, groups, meetings and mark scheme.

create table mark_categories (
  id integer generated always as identity primary key,
  -- null: for every bylaw
  bylaw_id integer references bylaws,
  code text not null,
  name text not null,
  name_local text not null,
  is_final_exam boolean not null default false,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- For which exam marks of a category are given: who is absent from it is absent there. The final exam is known already.
  exam_kind text check (exam_kind in ('midterm', 'oral', 'practical')),
  constraint mark_categories_code_key unique (code),
  constraint mark_category_one_exam check (not (is_final_exam and exam_kind is not null))
);
create index mark_categories_bylaw on mark_categories (bylaw_id);
create unique index mark_categories_code_in_any_case on mark_categories (lower(code));
select audit_table('mark_categories');

-- Marks: named mark schemes from which offerings take theirs.
create table marks (
  id integer generated always as identity primary key,
  bylaw_id integer references bylaws,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint marks_code_key unique (code)
);
create index marks_bylaw on marks (bylaw_id);
create unique index marks_code_in_any_case on marks (lower(code));
select audit_table('marks');

create table mark_items (
  mark_id integer not null references marks on delete cascade,
  mark_category_id integer not null references mark_categories,
  max numeric(5, 2) not null check (max > 0 and max <= 100),
  position smallint not null default 0,
  primary key (mark_id, mark_category_id)
);
create index mark_items_category on mark_items (mark_category_id);
select audit_table('mark_items');

-- Mark scheme of an offering.
create table offering_marks (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  mark_category_id integer not null references mark_categories,
  max numeric(5, 2) not null,
  position smallint not null default 0,
  constraint offering_marks_category_key unique (offering_id, mark_category_id),
  -- Maxima and marks up to those of the largest course.
  constraint offering_marks_max_check check (max > 0)
);
create index offering_marks_category on offering_marks (mark_category_id);
-- Scheme of an offering in the order it is entered.
create index offering_marks_order on offering_marks (offering_id, position);
select audit_table('offering_marks');
create trigger control_insert after insert on offering_marks referencing new table as new_rows
  for each statement execute function guard_scheme();
create trigger control_update after update on offering_marks referencing new table as new_rows
  for each statement execute function guard_scheme();
create trigger control_delete after delete on offering_marks referencing old table as old_rows
  for each statement execute function guard_scheme();

-- Every step of the control status, forward and back.
create table control_history (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  at timestamptz not null default now(),
  actor_id integer references users,
  action text not null,
  from_status text not null,
  to_status text not null,
  reason text
);
create index control_history_offering on control_history (offering_id, at);
create index control_history_at on control_history using brin (at);
create trigger control_steps_kept after insert on control_history referencing new table as new_rows
  for each statement execute function keep_control_steps();

-- Registrations, seats, marks and results.

create table registrations (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  offering_id integer not null,
  term_id integer not null,
  course_id integer not null,
  -- 64-bit set of flags: exactly one main flag, and qualifiers.
  status bigint not null check (status > 0),
  -- Credit hours at the time of registration.
  credit_hours numeric(6, 2) not null check (credit_hours between 0 and 300),
  -- Result: rounded total of 100, grade of the bylaw.
  total numeric(5, 2),
  letter text,
  points numeric(3, 2) check (points between 0 and 4),
  passed boolean,
  counts_in_gpa boolean,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether its hours count as attempted: a grade that is no percentage (withdrawn, excused) says so in the bylaw.
  counts_in_attempted_hours boolean,
  -- Under a regulation by marks: out of how many marks `total` is, and `letter` is the code of a rating; null: by credit hours.
  maximum smallint constraint registrations_maximum check (maximum between 1 and 999),
  -- One attempt of a course in a term.
  constraint registrations_student_course_key unique (student_id, term_id, course_id),
  -- An offering is of one course in one term, and a registration refers to all three at once: that a student has a course of a
  -- term once says already that he or she has an offering once.
  constraint registrations_offering foreign key (offering_id, term_id, course_id)
    references offerings (id, term_id, course_id) on update cascade,
  constraint registrations_total_check check (total between 0 and coalesce(maximum, 100))
);
create index registrations_offering_id on registrations (offering_id);
create index registrations_term on registrations (term_id, student_id);
create index registrations_course on registrations (course_id);
-- Requests that wait for somebody: RegisterRequest, AddRequest, DropRequest, WithdrawRequest, ExcuseRequest.
create index registrations_waiting on registrations (term_id, student_id) where (status & 32505856) <> 0;
create trigger audit_delete after delete on registrations referencing old table as old_rows
  for each statement execute function audit_change('{id}', '{updated_at,version,search_text,version,created_at,updated_at}');
create trigger touch before update on registrations
  for each row execute function touch_version();
create trigger audit_insert after insert on registrations referencing new table as new_rows
  for each statement execute function audit_new_registrations();
create trigger registrations_void_result before update of status on registrations
  for each row when (old.status <> new.status and old.letter is not null and new.letter is not distinct from old.letter)
  execute function void_result();
create trigger control_delete after delete on registrations referencing old table as old_rows
  for each statement execute function guard_removed_registrations();
create trigger revise_delete after delete on registrations referencing old table as old_rows
  for each statement execute function revise_changed_registrations();
create trigger audit_update after update on registrations referencing old table as old_rows new table as new_rows
  for each statement execute function changed_registrations();
create trigger outdate_invoices_update after update on registrations for each row
  when (new.status <> old.status or new.credit_hours <> old.credit_hours) execute function outdate_invoices();
create trigger outdate_invoices_delete after delete on registrations for each row execute function outdate_invoices();
create trigger withdrawal_charge after update of status on registrations for each row
  when (left_how(old.status) is distinct from left_how(new.status)) execute function decide_withdrawal_charge();
-- An import brings registrations as they ended.
create trigger withdrawal_charge_insert after insert on registrations for each row
  when (left_how(new.status) is not null) execute function decide_withdrawal_charge();
create trigger touched_insert after insert on registrations referencing new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_registrations();
create trigger touched_update after update on registrations referencing old table as old_rows new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_registrations();
create trigger touched_delete after delete on registrations referencing old table as old_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_registrations();
create trigger outdate_invoices_insert after insert on registrations referencing new table as new_rows
  for each statement execute function outdate_invoices_of_new();
create constraint trigger registration_with_its_case after update of status on registrations deferrable initially deferred
  for each row when ((old.status # new.status) & (134217728 | 2305843009213693952 | 536870912 | 2048)::bigint <> 0)
  execute function registration_with_its_case();
create trigger basis_delete after delete on registrations referencing old table as old_rows
  for each statement execute function results_removed();
select basis_goes_with('registrations', 'attempt');
select basis_goes_with('registrations', 'prerequisite');

-- A version of a mark is never used a second time, also when a mark is taken away and entered again: whoever still
-- looks at the first one is told.
create sequence registration_mark_version as integer cycle;

create table registration_marks (
  registration_id integer not null references registrations on delete cascade,
  offering_mark_id integer not null references offering_marks,
  -- null with absent
  mark numeric(5, 2) check (mark >= 0),
  absent boolean not null default false,
  entered_by integer references users,
  entered_at timestamptz not null default now(),
  version integer not null default nextval('registration_mark_version'),
  primary key (registration_id, offering_mark_id),
  check (absent = (mark is null))
);
create index registration_marks_category on registration_marks (offering_mark_id);
create trigger audit_insert after insert on registration_marks referencing new table as new_rows
  for each statement execute function changed_marks();
create trigger audit_update after update on registration_marks referencing old table as old_rows new table as new_rows
  for each statement execute function changed_marks();
create trigger audit_delete after delete on registration_marks referencing old table as old_rows
  for each statement execute function changed_marks();
create trigger touched_insert after insert on registration_marks referencing new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_marks();
create trigger touched_update after update on registration_marks referencing new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_marks();
create trigger touched_delete after delete on registration_marks referencing old table as old_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_marks();

-- Results of a student in a finished term. Recomputable from the registrations.
create table student_terms (
  student_id integer not null references students on delete cascade,
  term_id integer not null references terms,
  registered_hours numeric(8, 2) not null,
  attempted_hours numeric(8, 2) not null,
  passed_hours numeric(8, 2) not null,
  -- Points × credit hours of the term.
  term_points numeric(8, 2) not null,
  gpa numeric(3, 2) check (gpa between 0 and 4),
  cumulative_hours numeric(8, 2) not null,
  cumulative_passed_hours numeric(8, 2) not null,
  cumulative_points numeric(8, 2) not null,
  cumulative_gpa numeric(3, 2) check (cumulative_gpa between 0 and 4),
  level smallint not null check (level between 0 and 7),
  warned boolean not null default false,
  warnings smallint not null default 0,
  standing text not null check (standing in ('good', 'warned', 'dismissed')),
  -- Reasons why the student may not graduate yet: [{code, data}]; null: may graduate.
  graduation jsonb,
  finished_at timestamptz not null default now(),
  finished_by integer references users,
  -- Rows of finished terms follow the results they were computed from. When a settled result changes, or an offering goes
  -- back below Approved, the rows of that term and of later ones are marked in the same transaction: they are being revised
  -- and valid for nobody until they are computed again (by the step that approves or publishes, a correction, or finishing).
  -- Since when the row is being revised; null: valid.
  revised_since timestamptz,
  -- Whether a student may graduate is kept with the row of a finished term, and stands on more than results: requirements,
  -- study plan, exceptions, placements, credited courses, training. What it stood on is kept beside it, in short, so that
  -- reading can tell that it has changed since. Null: not known (rows that were loaded). For the audit trail it is no change.
  graduation_basis text,
  primary key (student_id, term_id)
);
create index student_terms_term on student_terms (term_id);
create index student_terms_revised on student_terms (student_id) where revised_since is not null;
select audit_table('student_terms', array['graduation_basis']);
create trigger unsealed_insert after insert on student_terms referencing new table as new_rows for each statement
  execute function unsealed_insert('term');
create trigger unsealed_update after update on student_terms referencing old table as old_rows new table as new_rows
  for each statement execute function unsealed_update('term');
create trigger unsealed_delete after delete on student_terms referencing old table as old_rows for each statement
  execute function unsealed_delete('term');

create sequence transcript_number as integer;

-- Transcripts that were printed: their serial stands on every page, so that a paper can be traced to who printed it and
-- what it said. And orders of the list of students that would otherwise sort everybody.

create table transcripts (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  lang text not null check (lang in ('ar', 'en')),
  -- Holds results that were not published.
  all_results boolean not null default false,
  -- Year of printing and number of the row: T-2026-000123.
  serial text not null unique,
  -- What it said at its end.
  courses smallint not null,
  gpa numeric(3, 2) check (gpa between 0 and 4),
  passed_hours numeric(8, 2) not null,
  issued_at timestamptz not null default now(),
  -- null: the student's account is gone.
  issued_by integer references users on delete set null
);
create index transcripts_student on transcripts (student_id, id desc);
create index transcripts_issued_by on transcripts (issued_by);
select audit_table('transcripts');
create trigger held_by_debt before insert on transcripts for each row execute function refuse_held_paper();

-- Who signs what, in which order: positions of a university and their holders, by chain.
create table signing_positions (
  id integer generated always as identity primary key,
  -- Name of the chain: what is signed, as its area calls it.
  chain text not null,
  position smallint not null constraint signing_positions_position check (position > 0),
  title text not null,
  title_local text not null,
  -- Who holds the position; null: nobody at present.
  user_id integer references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint signing_positions_key unique (chain, position)
);
create index signing_positions_user_id on signing_positions (user_id);
select audit_table('signing_positions');
-- Who signs the result sheet of a level.
insert into signing_positions (chain, position, title, title_local)
values ('level_result', 1, 'Entered by', 'كتبه'), ('level_result', 2, 'Read out by', 'أملاه'),
  ('level_result', 3, 'Reviewed by', 'راجعه'), ('level_result', 4, 'Head of control', 'رئيس الكنترول'),
  ('level_result', 5, 'Dean', 'عميد الكلية')
on conflict do nothing;

create table student_tags (
  student_id integer not null references students on delete cascade,
  tag_id integer not null references tags,
  created_at timestamptz not null default now(),
  primary key (student_id, tag_id)
);
create index student_tags_tag on student_tags (tag_id, student_id);
select audit_table('student_tags');

-- What a student lets a parent or sponsor see of the own study, until a day.
create table record_shares (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  -- Who it is, in the student's words, and where links are sent: an account of the university is not needed, nor made.
  name text not null constraint record_shares_name check (char_length(name) between 1 and 80),
  email text not null constraint record_shares_email check (email = lower(email)),
  language text not null constraint record_shares_language check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  parts text[] not null,
  last_day date not null,
  ended_at timestamptz,
  ended_why text constraint record_shares_why check (ended_why in ('student', 'staff', 'blocked', 'left', 'over')),
  created_at timestamptz not null default now(),
  constraint record_shares_end check ((ended_at is null) = (ended_why is null)),
  -- A student may let somebody see the own attendance as well.
  constraint record_shares_parts
    check (cardinality(parts) > 0 and parts <@ array['timetable', 'registration', 'attendance', 'grades'])
);
create unique index share_twice on record_shares (student_id, email) where ended_at is null;
create index record_shares_email_idx on record_shares (email) where ended_at is null;
select audit_table('record_shares');

-- Links by which an address is opened, once. Only hashes are kept, as of everything here that opens something.
create table share_links (
  token_hash bytea primary key,
  email text not null,
  expires_at timestamptz not null
);
create index share_links_expires_at_idx on share_links (expires_at);

-- A browser of somebody to whom something is shown. It is no session of the university: nothing else knows it.
create table share_visits (
  token_hash bytea primary key,
  email text not null,
  expires_at timestamptz not null
);
create index share_visits_expires_at_idx on share_visits (expires_at);

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
  -- Every status but studying from the start stands on a decision, and no other way leads to it: `decide_status` writes both.
  -- A transfer to another university is decided there (`transfer_out`); results of a term or level dismiss by their own
  -- decision, which goes when they do. `earlier`: it stood before decisions were kept.
  source text not null default 'decision'
    constraint student_status_source check (source in ('decision', 'transfer_out', 'term_result', 'level_result', 'earlier')),
  -- The transfer, term or result of a level it comes from.
  source_id integer,
  -- Registrations that ended with it: they come back when the result that decided it is no more.
  left_ids integer[] not null default '{}',
  constraint student_status_changes check (from_status <> to_status),
  -- Nobody but the dean, by the transfer, sends a student to another university; nobody graduates by a result.
  constraint student_status_by_owner check (case to_status
    when 'transferred' then source in ('transfer_out', 'earlier')
    when 'graduated' then source in ('decision', 'earlier')
    when 'suspended' then source in ('decision', 'level_result', 'earlier')
    when 'withdrawn' then source in ('decision', 'level_result', 'earlier')
    else true end),
  constraint student_status_decided unique (id, to_status)
);
create index student_status_decisions_student on student_status_decisions (student_id, id desc);
create index student_status_decisions_file on student_status_decisions (file_id) where file_id is not null;
create index student_status_decisions_created_by on student_status_decisions (created_by);
alter table students add constraint status_of_decision foreign key (status_decision_id, status) references student_status_decisions (id, to_status);
select audit_rows('student_status_decisions', 'student_id');

-- Requirements of a program or a bylaw beyond the study plan: a tree (areas/degree-audit/requirements/tree.rules.ts).
-- Every revision stays as it was; the last one holds. One without tree: from then on there are none.
create table requirement_trees (
  id integer generated always as identity primary key,
  program_id integer references programs on delete cascade,
  bylaw_id integer references bylaws on delete cascade,
  revision integer not null constraint requirement_trees_revision check (revision > 0),
  mode text not null default 'adds' constraint requirement_trees_mode check (mode in ('adds', 'replaces')),
  tree jsonb constraint requirement_trees_tree check (jsonb_typeof(tree) = 'object'),
  -- Why it was changed, in the words of who did.
  reason text constraint requirement_trees_reason check (char_length(reason) between 1 and 500),
  created_by integer references users,
  created_at timestamptz not null default now(),
  constraint requirement_trees_of_one check (num_nonnulls(program_id, bylaw_id) = 1)
);
create unique index requirement_trees_program on requirement_trees (program_id, revision) where program_id is not null;
create unique index requirement_trees_bylaw on requirement_trees (bylaw_id, revision) where bylaw_id is not null;
create index requirement_trees_created_by on requirement_trees (created_by);
select audit_table('requirement_trees');
create trigger stays before update on requirement_trees for each row execute function requirement_tree_stays();
create trigger follows before insert on requirement_trees for each row execute function requirement_tree_follows();
create trigger refs after insert on requirement_trees for each row execute function requirement_tree_refs();

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
select audit_table('degree_exceptions');
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
select audit_table('degree_audit_runs');

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

-- Ratings of a share of the maximum: each holds from its own share up to that of the next.
create table bylaw_ratings (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  -- As it stands in a result: EX, VG.
  code text not null,
  name text not null,
  name_local text not null,
  from_share numeric(5, 2) not null check (from_share >= 0 and from_share < 100),
  constraint bylaw_ratings_code_key unique (bylaw_id, code) deferrable,
  constraint bylaw_ratings_share_key unique (bylaw_id, from_share) deferrable
);
select audit_rows('bylaw_ratings', 'bylaw_id');
create constraint trigger keep_grade after delete or update of code on bylaw_ratings deferrable initially deferred
  for each row execute function keep_rating();

-- In which level a student is in an academic year, under a regulation by marks.
create table student_years (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  year_id integer not null references years,
  bylaw_id integer not null references bylaws,
  program_id integer not null references programs,
  level smallint not null check (level between 0 and 7),
  -- new: all of the level; carried: of it and what was failed before; repeating: what was failed in it; external: the
  -- same, only the exams.
  enrolment text not null check (enrolment in ('new', 'carried', 'repeating', 'external')),
  -- Chances that this year spends: 1, or none where it is excused or was stopped.
  chances_used smallint not null default 1 check (chances_used in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint student_years_year_key unique (student_id, year_id)
);
create index student_years_level on student_years (year_id, bylaw_id, level);
create index student_years_program on student_years (program_id);
create index student_years_bylaw on student_years (bylaw_id);
select audit_table('student_years');
-- The result of a level stands on the results of its courses: what they were is kept with each student's decided year.
select basis_goes_with('student_years', 'level_result');

-- The end of a year under a regulation by marks: the council's rule on grace marks, second sessions, results of levels.

-- What the council of a faculty decided on grace marks for a year. What is empty is as the bylaw has it.
create table grace_rules (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  year_id integer not null references years,
  -- Who decided, by which decision, when.
  decided_by text not null,
  decision_number text not null,
  decided_on date not null,
  first_for text check (first_for in ('pass_course', 'promote', 'next_rating')),
  then_for text check (then_for in ('pass_course', 'promote', 'next_rating')),
  last_for text check (last_for in ('pass_course', 'promote', 'next_rating')),
  per_course numeric(5, 2) check (per_course >= 0),
  in_all numeric(5, 2) check (in_all >= 0),
  share numeric(5, 2) check (share between 0 and 100),
  on_transcript boolean not null default false,
  search_text text generated always as (fold_text(decision_number || ' ' || decided_by)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint grace_rule_year unique (bylaw_id, year_id),
  constraint grace_rule_order check ((first_for is not null or (then_for is null and last_for is null))
    and (then_for is not null or last_for is null)
    and (then_for is null or then_for <> first_for)
    and (last_for is null or (last_for <> first_for and last_for <> then_for)))
);
create index grace_rules_year on grace_rules (year_id);
select audit_table('grace_rules');
create trigger grace_rule_applied before update or delete on grace_rules for each row execute function grace_rule_applied();

-- The term in which a level sits again what it failed.
create table second_sessions (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  year_id integer not null references years,
  level smallint not null check (level between 0 and 7),
  term_id integer not null references terms,
  opened_by integer references users,
  opened_at timestamptz not null default now(),
  constraint second_session_opened unique (bylaw_id, year_id, level)
);
create index second_sessions_year on second_sessions (year_id);
create index second_sessions_term on second_sessions (term_id);
create index second_sessions_opened_by on second_sessions (opened_by);
select audit_table('second_sessions');

-- What a level came to in a year: previewed, applied to the students, announced to them; or taken back.
create table level_results (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  year_id integer not null references years,
  level smallint not null check (level between 0 and 7),
  status text not null default 'previewed' check (status in ('previewed', 'applied', 'announced', 'undone')),
  -- The rule on grace marks as it was when this was worked out, with who decided; null: none.
  rule jsonb,
  made_by integer references users,
  made_at timestamptz not null default now(),
  applied_by integer references users,
  applied_at timestamptz,
  announced_by integer references users,
  announced_at timestamptz,
  undone_by integer references users,
  undone_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- A result of some students of a level, by name, beside that of the whole level.
  named boolean not null default false,
  constraint level_results_applied check ((applied_at is null) = (status = 'previewed')),
  constraint level_results_undone check ((undone_at is null) = (status <> 'undone'))
);
create index level_results_level on level_results (bylaw_id, year_id, level);
create index level_results_year on level_results (year_id);
create index level_results_made_by on level_results (made_by);
create index level_results_applied_by on level_results (applied_by);
create index level_results_announced_by on level_results (announced_by);
create index level_results_undone_by on level_results (undone_by);
select audit_table('level_results');

-- One student in it. Marks are those earned; grace marks stand beside them.
create table level_result_students (
  level_result_id integer not null references level_results on delete cascade,
  student_id integer not null references students on delete cascade,
  student_year_id integer not null references student_years on delete cascade,
  -- Without grace marks, and with them.
  outcome_before text not null,
  outcome text not null,
  rating_before text,
  rating text,
  marks numeric(7, 2) not null,
  maximum numeric(7, 2) not null,
  -- Grace marks in all, and those of them that are given on the sum of the level.
  grace numeric(5, 2) not null default 0 check (grace >= 0),
  grace_on_sum numeric(5, 2) not null default 0 check (grace_on_sum >= 0 and grace_on_sum <= grace),
  reasons jsonb not null,
  -- Each course as it was when this was worked out.
  courses jsonb not null,
  uses_chance boolean not null,
  failed smallint not null,
  -- Of who has the degree by it: the rating over the levels that count, with honours or why not.
  degree jsonb,
  applied boolean not null default false,
  -- What the student was before, for who takes it back.
  was jsonb,
  next_year_id integer references student_years on delete set null,
  primary key (level_result_id, student_id)
);
-- A year is decided once, whoever decides.
create unique index level_result_applied on level_result_students (student_year_id) where applied;
create index level_result_students_year on level_result_students (student_year_id);
create index level_result_students_student on level_result_students (student_id);
create index level_result_students_next on level_result_students (next_year_id);
create trigger unsealed_insert after insert on level_result_students referencing new table as new_rows
  for each statement execute function unsealed_insert('level');
create trigger unsealed_update after update
  on level_result_students referencing old table as old_rows new table as new_rows for each statement
  execute function unsealed_update('level');
create trigger unsealed_delete after delete on level_result_students referencing old table as old_rows
  for each statement execute function unsealed_delete('level');

-- Grace marks on a course, beside the mark that was earned.
create table grace_marks (
  registration_id integer primary key references registrations on delete cascade,
  level_result_id integer not null references level_results,
  marks numeric(5, 2) not null check (marks > 0)
);
create index grace_marks_result on grace_marks (level_result_id);
select audit_table('grace_marks');
create trigger unsealed_insert after insert on grace_marks referencing new table as new_rows for each statement
  execute function unsealed_insert('grace');
create trigger unsealed_update after update on grace_marks referencing old table as old_rows new table as new_rows
  for each statement execute function unsealed_update('grace');
create trigger unsealed_delete after delete on grace_marks referencing old table as old_rows for each statement
  execute function unsealed_delete('grace');

-- Placement tests: bands of scores are levels, courses stand at a level, and a result excuses a student from what lies below.
create table placement_tests (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  -- Whose students take it: the most exact of these; none: all students.
  faculty_id integer references faculties,
  bylaw_id integer references bylaws,
  program_id integer references programs,
  max_score numeric(6, 2) not null default 100 check (max_score > 0),
  -- Until it has a result, or is exempt, a student to whom it is due registers none of its courses.
  is_required boolean not null default false,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint placement_tests_code_key unique (code)
);
create index placement_tests_faculty on placement_tests (faculty_id);
create index placement_tests_bylaw on placement_tests (bylaw_id);
create index placement_tests_program on placement_tests (program_id);
create unique index placement_tests_code_in_any_case on placement_tests (lower(code));
select audit_table('placement_tests');

create table placement_levels (
  id integer generated always as identity primary key,
  placement_test_id integer not null references placement_tests on delete cascade,
  -- Level 1 is at position 0.
  position smallint not null,
  name text not null,
  name_local text not null,
  from_score numeric(6, 2) not null check (from_score >= 0),
  -- Exclusive, but for the highest.
  to_score numeric(6, 2) not null,
  constraint placement_levels_order check (from_score < to_score),
  constraint placement_levels_overlap exclude using gist (placement_test_id with =, numrange(from_score, to_score, '[)') with &&) deferrable
);
select audit_rows('placement_levels', 'placement_test_id');

create table placement_courses (
  id integer generated always as identity primary key,
  placement_test_id integer not null references placement_tests on delete cascade,
  position smallint not null,
  course_id integer not null references courses,
  level smallint not null check (level between 1 and 20),
  constraint placement_course_twice unique (placement_test_id, course_id) deferrable
);
create index placement_courses_course on placement_courses (course_id);
select audit_rows('placement_courses', 'placement_test_id');

create table placement_results (
  id integer generated always as identity primary key,
  code text not null,
  placement_test_id integer not null references placement_tests,
  student_id integer not null references students on delete cascade,
  score numeric(6, 2) check (score >= 0),
  is_exempt boolean not null default false,
  -- From the score; kept, because every request for registration reads it.
  level smallint,
  taken_on date,
  reason text,
  state text not null generated always as (case when is_exempt then 'exempt' when score is null then 'due' else 'scored' end) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint placement_results_code_key unique (code),
  constraint placement_result_twice unique (student_id, placement_test_id),
  constraint placement_result_scored check ((level is not null) = (score is not null and not is_exempt)),
  constraint placement_result_exempt check (not is_exempt or score is null)
);
create index placement_results_test on placement_results (placement_test_id);
create unique index placement_results_code_in_any_case on placement_results (lower(code));
select audit_table('placement_results');
create trigger place before insert or update on placement_results for each row execute function place_result();

-- Records of one person that were put together: who asks for the one that went gets the one that stayed, by its id and by
-- its code. The row of the record that went stays, removed, with what was written about it.
create table merged_records (
  id integer generated always as identity primary key,
  kind text not null constraint merged_records_kind check (kind in ('student', 'instructor', 'user')),
  from_id integer not null,
  into_id integer not null,
  merged_at timestamptz not null default now(),
  constraint merged_records_once unique (kind, from_id),
  constraint merged_records_itself check (from_id <> into_id)
);
create index merged_records_into on merged_records (kind, into_id);
select audit_table('merged_records');
create trigger follow after insert or update or delete on merged_records
  for each row execute function follow_merged_records();
create trigger two_people before insert or update on merged_records
  for each row execute function refuse_merge_of_two_people();

-- The grade sheet of an offering is signed when control approves it: its rows get a hash, and the hash is chained to the one
-- before it. Whatever is lawfully changed afterwards is the next link. A cell that is changed in any other way is found.

-- One row for each signing, for the whole university: gapless, each with the hash of the one before.
create table grade_links (
  number bigint primary key,
  -- Plain numbers, as in every trail: what is told here stays, whatever becomes of the records.
  -- What counts beside the marks is sealed in the chain of grade sheets as well: rows of finished terms, credited courses, grace marks,
  -- applied results of levels, which course an offering is of and what it was called, and the history of its registrations.
  -- A link is of a sheet, of records, or of both; null: of no sheet.
  offering_id integer,
  -- approve: it is signed; undo: it is signed no more; else on which authority a signed sheet was changed.
  cause text not null,
  -- Null: the program.
  actor_id integer,
  impersonator_id integer,
  reason text,
  at timestamptz not null,
  -- The mark scheme as it was signed: [id, category, maximum] of each category.
  scheme text not null,
  -- Registrations on the sheet, and the hash over theirs; null: signed no more.
  students integer,
  sheet_hash text check (sheet_hash ~ '^[0-9a-f]{64}$'),
  -- Of the link before; null: the first.
  previous text check (previous ~ '^[0-9a-f]{64}$'),
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
  -- What only this university can compute of the hash; null: written before the program runs (a loaded university).
  seal text check (seal ~ '^[0-9a-f]{64}$'),
  -- Over the records that the link seals; null: none.
  records_hash text check (records_hash ~ '^[0-9a-f]{64}$'),
  constraint grade_link_first check ((number = 1) = (previous is null))
);
create index grade_links_offering on grade_links (offering_id, number);
create trigger append_only before update or delete on grade_links
  for each row execute function refuse_link_change();
create trigger append_only_truncate before truncate on grade_links
  for each statement execute function refuse_link_change();

-- Rows of the sheets: with each link those that are new or differ from what was signed before.
create table grade_link_rows (
  number bigint not null references grade_links,
  offering_id integer not null,
  registration_id integer not null,
  -- The row as it was signed, with numbers of records and no name; null: it is on the sheet no more.
  content text,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (offering_id, registration_id, number)
);
create index grade_link_rows_number on grade_link_rows (number);
create trigger append_only before update or delete on grade_link_rows
  for each row execute function refuse_link_change();
create trigger append_only_truncate before truncate on grade_link_rows
  for each statement execute function refuse_link_change();

-- Exam papers without names: each carries a barcode, and whoever marks knows nothing else. Which barcode is whose stands in a
-- table of its own, and a mark stays with its barcode until control opens the names: until then no record, trail, version or
-- order says whose mark it is.

create table exam_barcodes (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings,
  -- Random: it tells nothing, and none is guessed from another.
  code text not null constraint exam_barcode_known unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  mark numeric(5, 2) check (mark >= 0),
  absent boolean not null default false,
  marked_by integer references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint exam_barcode_mark check (not absent or mark is null)
);
create index exam_barcodes_offering on exam_barcodes (offering_id, code);
create index exam_barcodes_marker on exam_barcodes (marked_by);
select audit_table('exam_barcodes');
create trigger kept before update or delete on exam_barcodes for each row execute function keep_exam_barcode();

-- Whose paper a barcode is on; a barcode without a row is free. Not in the audit trail, which more people read.
create table exam_barcode_owners (
  barcode_id integer primary key references exam_barcodes on delete cascade,
  registration_id integer not null references registrations on delete cascade,
  attached_at timestamptz not null default now(),
  -- One paper of a registration counts.
  constraint exam_barcode_once unique (registration_id)
);
create trigger moved after insert or update or delete on exam_barcode_owners for each row execute function exam_paper_moved();

-- Offerings whose final exam is marked without names.
create table anonymous_offerings (
  offering_id integer primary key references offerings,
  started_by integer references users,
  started_at timestamptz not null default now(),
  -- From then on the marks stand with the names.
  opened_by integer references users,
  opened_at timestamptz,
  constraint anonymous_offering_opened check (opened_by is null or opened_at is not null)
);
select audit_table('anonymous_offerings');
create trigger kept before update or delete on anonymous_offerings for each row execute function keep_anonymous_offering();

-- Who has seen whose barcode is which: marks nothing there.
create table exam_name_readers (
  offering_id integer not null references offerings,
  read_by integer not null references users on delete cascade,
  at timestamptz not null default now(),
  primary key (offering_id, read_by)
);
create index exam_name_readers_person on exam_name_readers (read_by);
select audit_table('exam_name_readers');
create trigger kept before update or delete on exam_name_readers for each row execute function keep_exam_name_reader();

-- A mark that somebody asks to be looked at again: by its student after publication, or by staff who find it wrong.
create table grade_rechecks (
  id integer generated always as identity primary key,
  registration_id integer not null references registrations on delete cascade,
  offering_mark_id integer not null references offering_marks,
  -- recheck: the student asks; correction: somebody who teaches or keeps marks.
  kind text not null check (kind in ('recheck', 'correction')),
  why text not null,
  status text not null default 'requested'
    check (status in ('requested', 'fee_due', 'under_review', 'accepted', 'rejected', 'cancelled')),
  -- As it stood when it was asked; `A`: absent.
  old_mark text not null,
  -- What the reviewer found: the mark it should be, and why; who decides is somebody else.
  new_mark text,
  finding text,
  reviewed_by integer references users,
  -- Minor units; null: nothing is to be paid.
  fee bigint check (fee >= 0),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint grade_recheck_found check ((new_mark is null) = (reviewed_by is null))
);
create index grade_rechecks_registration on grade_rechecks (registration_id);
create index grade_rechecks_mark on grade_rechecks (offering_mark_id);
create index grade_rechecks_status on grade_rechecks (status, created_at);
create index grade_rechecks_reviewer on grade_rechecks (reviewed_by);
-- A mark is rechecked once.
create unique index recheck_asked_twice on grade_rechecks (registration_id, offering_mark_id)
  where kind = 'recheck' and status <> 'cancelled' and removed_at is null;
-- And looked at for one reason at a time.
create unique index recheck_runs on grade_rechecks (registration_id, offering_mark_id)
  where status in ('requested', 'fee_due', 'under_review') and removed_at is null;
select audit_table('grade_rechecks');

-- Two records that look like one person's, of which somebody who looked says that they are two people's. Of records that went
-- into others it is true of those that stayed. Taking it back deletes the row; the trail keeps who said what.
create table not_doubles (
  id integer generated always as identity primary key,
  kind text not null constraint not_doubles_kind check (kind in ('student', 'instructor', 'user')),
  one_id integer not null,
  other_id integer not null,
  reason text not null,
  marked_by integer references users,
  marked_at timestamptz not null default now(),
  constraint not_doubles_order check (one_id < other_id),
  constraint not_double_already unique (kind, one_id, other_id)
);
create index not_doubles_marked_by on not_doubles (marked_by);
select audit_table('not_doubles');
create trigger two_people before insert or update on not_doubles
  for each row execute function refuse_merge_of_two_people();

-- Who owes past a due date sees no results and gets no certificates, where the university has it so.

-- Staff set a hold aside, for results or for papers, with a reason, until a day or until it is taken back.
create table hold_overrides (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  what text not null check (what in ('results', 'certificates')),
  reason text not null,
  until date,
  created_by integer references users,
  ended_at timestamptz,
  ended_by integer references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index hold_override_twice on hold_overrides (student_id, what) where ended_at is null;
create index hold_overrides_student on hold_overrides (student_id);
create index hold_overrides_created_by on hold_overrides (created_by);
create index hold_overrides_ended_by on hold_overrides (ended_by);
select audit_table('hold_overrides');

-- Whose exam paper a barcode is on is written down whenever it changes, in a table of its own that nobody reads before the
-- names are open: the audit trail, which more people read, never has a name beside a barcode.

-- What the exam office asks for: another barcode on a paper, or none. It is done at once before marking has begun; afterwards a
-- second person says so first.
create table exam_paper_changes (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings,
  -- A plain number, as in every trail: what is told here stays when the registration goes.
  registration_id integer not null,
  -- Null: the paper had none, or has none from then on.
  from_barcode_id integer references exam_barcodes,
  to_barcode_id integer references exam_barcodes,
  reason text not null constraint exam_paper_change_reason check (btrim(reason) <> ''),
  status text not null default 'asked' check (status in ('asked', 'done', 'rejected')),
  asked_by integer references users,
  -- Who acted as that person.
  really_asked_by integer references users,
  asked_at timestamptz not null default now(),
  -- The second person; null: none was needed.
  decided_by integer references users,
  really_decided_by integer references users,
  decided_reason text,
  done_at timestamptz,
  constraint exam_paper_change_differs check (from_barcode_id is distinct from to_barcode_id),
  constraint exam_paper_change_done check ((done_at is null) = (status = 'asked')),
  -- Who asked does not confirm; taking the own request back is a rejection.
  constraint exam_paper_change_second check (status = 'rejected'
    or not coalesce(decided_by in (asked_by, really_asked_by) or really_decided_by in (asked_by, really_asked_by), false))
);
create index exam_paper_changes_offering on exam_paper_changes (offering_id, asked_at);
create index exam_paper_changes_from on exam_paper_changes (from_barcode_id);
create index exam_paper_changes_asked_by on exam_paper_changes (asked_by);
create index exam_paper_changes_really_asked_by on exam_paper_changes (really_asked_by);
create index exam_paper_changes_decided_by on exam_paper_changes (decided_by);
create index exam_paper_changes_really_decided_by on exam_paper_changes (really_decided_by);
create unique index exam_paper_change_waits on exam_paper_changes (registration_id) where status = 'asked';
create unique index exam_paper_change_barcode on exam_paper_changes (to_barcode_id) where status = 'asked';
create trigger kept before update or delete on exam_paper_changes for each row execute function keep_exam_paper_change();

-- Every change of whose barcode is which, as the database has seen it: numbers of records, as in every trail.
create table exam_paper_moves (
  id bigint generated always as identity primary key,
  offering_id integer not null,
  registration_id integer not null,
  student_id integer,
  from_barcode_id integer,
  to_barcode_id integer,
  -- Drawn for this paper, when barcodes were given out.
  printed boolean not null,
  -- What was asked for, with the reason and who confirmed it; null: barcodes given out, or a registration that was removed.
  change_id integer,
  at timestamptz not null default now(),
  actor_id integer,
  impersonator_id integer,
  constraint exam_paper_move_differs check (from_barcode_id is distinct from to_barcode_id)
);
create index exam_paper_moves_offering on exam_paper_moves (offering_id, id);
create index exam_paper_moves_to on exam_paper_moves (to_barcode_id);
create trigger append_only before update or delete on exam_paper_moves for each row execute function refuse_paper_move_change();
create trigger append_only_truncate before truncate on exam_paper_moves for each statement execute function refuse_paper_move_change();

create table grade_link_records (
  number bigint not null references grade_links,
  kind text not null check (kind in ('term', 'credit', 'grace', 'level', 'offering', 'history')),
  -- What it is known by: numbers of records.
  key text not null,
  -- The record as it was sealed, with numbers of records and no name of a person; null: it is no more. Of a history, the rows that
  -- came since the last link: [id, hash] of each.
  content text,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (kind, key, number)
);
create index grade_link_records_number on grade_link_records (number);
create trigger append_only before update or delete on grade_link_records for each row execute function refuse_link_change();
create trigger append_only_truncate before truncate on grade_link_records for each statement execute function refuse_link_change();

-- What students hand in at entry and later, by kinds that the university names: which are required, from whom, and which expire.
create table document_kinds (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_required boolean not null default false,
  nationality text not null default 'all' check (nationality in ('all', 'egyptian', 'foreign')),
  gender smallint check (gender in (1, 2)),
  study_level text check (study_level in ('undergraduate', 'postgraduate')),
  from_level smallint check (from_level between 0 and 7),
  -- Required of who entered in this term or later; null: of everybody.
  from_term_id integer references terms,
  expires boolean not null default false,
  -- So many days before a document expires its holder is told.
  told_days smallint not null default 30 check (told_days between 0 and 366),
  -- Employees and instructors hand in documents as students do. A kind is of students or of who works here; what it asks about
  -- beside that (nationality, level) is known of students alone.
  whose text not null default 'students' check (whose in ('students', 'employees', 'instructors', 'staff')),
  constraint document_kinds_code_key unique (code),
  constraint kind_asks_of_students check (whose = 'students'
    or nationality = 'all' and num_nonnulls(gender, study_level, from_level, from_term_id) = 0)
);
create index document_kinds_from_term on document_kinds (from_term_id);
create unique index document_kinds_code_in_any_case on document_kinds (lower(code));
alter table student_holds add constraint student_holds_document_kind_id_fkey
  foreign key (document_kind_id) references document_kinds on delete cascade;
select audit_table('document_kinds');
create trigger settle_documents_of_all after insert or delete or update of is_required, whose, nationality, gender,
  study_level, from_level, from_term_id, removed_at on document_kinds for each statement
  execute function settle_documents_of_all();

create table student_documents (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  kind_id integer not null references document_kinds,
  status text not null default 'owed' check (status in ('owed', 'handed_in', 'accepted', 'rejected', 'outdated', 'waived')),
  -- Staff ask for it from this student, whatever the kind says of others.
  asked boolean not null default false,
  file_id integer references files,
  number text,
  expires_on date,
  -- The day of expiry of which the student was told beforehand.
  told_of date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index student_documents_student on student_documents (student_id, kind_id);
create index student_documents_waiting on student_documents (created_at) where status = 'handed_in' and removed_at is null;
create index student_documents_expiry on student_documents (expires_on) where status = 'accepted' and removed_at is null;
create index student_documents_kind on student_documents (kind_id);
create index student_documents_file on student_documents (file_id);
-- Of one kind one is asked for or looked at, not two.
create unique index document_open_already on student_documents (student_id, kind_id)
  where status in ('owed', 'handed_in', 'waived') and removed_at is null;
select audit_table('student_documents');
create trigger settle_documents_of_added after insert on student_documents
  referencing new table as rows_now for each statement execute function settle_documents_of_rows();
create trigger settle_documents_of_changed after update on student_documents
  referencing old table as rows_before new table as rows_now for each statement execute function settle_documents_of_rows();
create trigger settle_documents_of_gone after delete on student_documents
  referencing old table as rows_before for each statement execute function settle_documents_of_rows();

-- The address that a student gives as the own one waits here, and comes into the record once the link that was sent there is
-- opened: what is answered says nothing of whether it is somebody else's. One waits at a time.
create table student_addresses (
  student_id integer primary key references students on delete cascade,
  -- Who asked for it, and in whose name it is written.
  user_id integer not null references users on delete cascade,
  impersonator_id integer references users on delete cascade,
  email text not null,
  language text not null constraint student_addresses_language check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  -- Of the link, made when the mail is written; null until then, and where none was sent.
  token_hash bytea unique,
  expires_at timestamptz not null
);
create index student_addresses_user on student_addresses (user_id);
create index student_addresses_impersonator on student_addresses (impersonator_id);
create index student_addresses_expires_at on student_addresses (expires_at);

-- Documents of who works here, as those of students: `student_documents` says what each column is for.
create table employee_documents (
  id integer generated always as identity primary key,
  employee_id integer not null references users on delete cascade,
  kind_id integer not null references document_kinds,
  status text not null default 'owed' check (status in ('owed', 'handed_in', 'accepted', 'rejected', 'outdated', 'waived')),
  asked boolean not null default false,
  file_id integer references files,
  number text,
  expires_on date,
  told_of date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index employee_documents_person on employee_documents (employee_id, kind_id);
create index employee_documents_waiting on employee_documents (created_at) where status = 'handed_in' and removed_at is null;
create index employee_documents_expiry on employee_documents (expires_on) where status = 'accepted' and removed_at is null;
create index employee_documents_kind on employee_documents (kind_id);
create index employee_documents_file on employee_documents (file_id);
create unique index employee_document_open_already on employee_documents (employee_id, kind_id)
  where status in ('owed', 'handed_in', 'waived') and removed_at is null;
select audit_table('employee_documents');
create trigger refuse_no_employee before insert or update of employee_id on employee_documents
  for each row execute function refuse_no_employee();

create table instructor_documents (
  id integer generated always as identity primary key,
  instructor_id integer not null references instructors on delete cascade,
  kind_id integer not null references document_kinds,
  status text not null default 'owed' check (status in ('owed', 'handed_in', 'accepted', 'rejected', 'outdated', 'waived')),
  asked boolean not null default false,
  file_id integer references files,
  number text,
  expires_on date,
  told_of date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index instructor_documents_person on instructor_documents (instructor_id, kind_id);
create index instructor_documents_waiting on instructor_documents (created_at) where status = 'handed_in' and removed_at is null;
create index instructor_documents_expiry on instructor_documents (expires_on) where status = 'accepted' and removed_at is null;
create index instructor_documents_kind on instructor_documents (kind_id);
create index instructor_documents_file on instructor_documents (file_id);
create unique index instructor_document_open_already on instructor_documents (instructor_id, kind_id)
  where status in ('owed', 'handed_in', 'waived') and removed_at is null;
select audit_table('instructor_documents');

-- What is searched and sorted by in the list of students stands apart.
select keep_searched('students', array['code', 'name', 'name_local', 'faculty_id', 'program_id', 'bylaw_id', 'advisor_id', 'level',
  'status', 'gpa', 'passed_hours', 'warnings']);
select count_table('students');

-- What happens here when rows of other wings change -----------------------------------------------------------------

create trigger revise after update of control_status on offerings for each row
  when ((old.control_status in ('Approved', 'Published', 'Frozen')) <> (new.control_status in ('Approved', 'Published', 'Frozen')))
  execute function revise_with_offering();
create trigger end_shares after update of blocked_at, removed_at on users
  for each row execute function end_shares_of_user();
create trigger usual_ratings after insert or update of program_type on bylaws for each row
  when (new.program_type in ('term', 'annual')) execute function usual_ratings();
create trigger level_result_stands before update of control_status on offerings for each row
  when (old.control_status in ('Approved', 'Published', 'Frozen') and new.control_status in ('Draft', 'Submitted', 'Reviewed'))
  execute function level_result_stands();
create constraint trigger merged_stays_removed after update of removed_at on instructors deferrable initially deferred
  for each row when (old.removed_at is not null and new.removed_at is null)
  execute function keep_merged_removed('instructor');
create constraint trigger merged_stays_removed after update of removed_at on users deferrable initially deferred
  for each row when (old.removed_at is not null and new.removed_at is null)
  execute function keep_merged_removed('user');
create trigger held_by_debt before insert on papers for each row execute function refuse_held_paper();
create trigger settle_documents_of_all after update of study_level on programs for each statement execute function settle_documents_of_all();
create trigger settle_documents_of_all after update of start_date on terms for each statement execute function settle_documents_of_all();
create constraint trigger keep_level after delete or update of level on bylaw_levels deferrable initially deferred
  for each row execute function keep_level();
create trigger basis after update of control_status on offerings for each row
  when ((old.control_status in ('Approved', 'Published', 'Frozen')) <> (new.control_status in ('Approved', 'Published', 'Frozen'))
    or (old.control_status in ('Published', 'Frozen')) <> (new.control_status in ('Published', 'Frozen')))
  execute function results_of_offering_changed();

-- What points to tables that come after it ---------------------------------------------------------------------------

alter table sessions add constraint sessions_student_id_fkey
  foreign key (student_id) references students on delete cascade;
alter table offerings add constraint offerings_mark_id_fkey foreign key (mark_id) references marks;
alter table withdrawal_charges add constraint withdrawal_charges_registration_id_fkey
  foreign key (registration_id) references registrations on delete cascade;
alter table requirement_refs add constraint requirement_refs_tree_id_fkey
  foreign key (tree_id) references requirement_trees on delete cascade;
alter table payers add constraint payers_student_id_fkey
  foreign key (student_id) references students on delete cascade;
alter table scholarship_grants add constraint scholarship_grants_student_id_fkey
  foreign key (student_id) references students;
alter table invoice_lines add constraint invoice_lines_registration_id_fkey
  foreign key (registration_id) references registrations;

-- Views ---------------------------------------------------------------------------------------------------------------

-- The figures of students as far as they are out: of the last such term, else those before the first. What is said to a
-- student, and what a student's own requests are judged by, is this. Hours are kept as students' hours are.
create view shown_standing as
    select s.id as student_id,
      case when x.term_id is not null then x.cumulative_gpa when f.finished then (s.entry_standing ->> 'gpa')::numeric else s.gpa end as gpa,
      case when x.term_id is not null then x.cumulative_passed_hours
        when f.finished then coalesce((s.entry_standing ->> 'passed_hours')::numeric::numeric(8,2), 0) else s.passed_hours end as passed_hours,
      case when x.term_id is not null then x.warnings
        when f.finished then coalesce((s.entry_standing ->> 'warnings')::smallint, 0) else s.warnings end as warnings,
      case when x.term_id is not null then x.level
        when f.finished then coalesce((s.entry_standing ->> 'level')::smallint,
          (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) else s.level end as level,
      b.grades_visibility ->> 'gpa' is not null as gpa_shown
    from students s join bylaws b on b.id = s.bylaw_id
      left join lateral (select true as finished from student_terms t where t.student_id = s.id limit 1) f on true
      -- Whoever has finished no term has no figures to hold back.
      left join lateral (
        select k.term_start, k.term_id from figures_held_back(s.id, b.grades_visibility ->> 'gpa') k where f.finished) h on true
      left join lateral (
        select t.term_id, t.cumulative_gpa, t.cumulative_passed_hours, t.warnings, t.level
        from student_terms t join terms w on w.id = t.term_id
        where f.finished and t.student_id = s.id and t.revised_since is null
          and (h.term_id is null or (w.start_date, w.id) < (h.term_start, h.term_id))
          and (s.entry_standing ->> 'after_term_id' is null or term_after(t.term_id, (s.entry_standing ->> 'after_term_id')::integer))
        order by w.start_date desc, w.id desc limit 1) x on true;

-- The parts of the university to which an account belongs: by the record of its instructor or student, where its holder works,
-- and by what it may do there.
create view user_units as
  select i.user_id, 'faculty'::text as unit, i.faculty_id as unit_id from instructors i where i.user_id is not null and i.removed_at is null
  union all select i.user_id, 'department', i.department_id from instructors i
    where i.user_id is not null and i.removed_at is null and i.department_id is not null
  union all select u.id, 'faculty', u.faculty_id from users u where u.faculty_id is not null
  union all select u.id, 'department', u.department_id from users u where u.department_id is not null
  union all select s.user_id, x.unit, x.unit_id from students s
    cross join lateral (values ('faculty', s.faculty_id), ('bylaw', s.bylaw_id), ('program', s.program_id)) x (unit, unit_id)
    where s.user_id is not null and s.removed_at is null
  union all select a.user_id, w.lies_in, w.lies_in_id from role_assignments a
    join units_within w on w.unit = a.scope_type and w.unit_id = a.scope_id where coalesce(a.valid_to >= university_today(), true)
  union all select e.user_id, w.lies_in, w.lies_in_id from access_entries e
    join units_within w on w.unit = e.scope_type and w.unit_id = e.scope_id where coalesce(e.valid_to >= university_today(), true);

-- What the program and other functions call.
install function absent_by_mark, control_allows, control_rank, decide_status, decided_state, degree_basis,
  documents_lacking, documents_required, exam_marking_began, fact_approved, fact_figures, fact_result, facts_changed,
  hold_approved, hold_figures, hold_result, keep_grade, keep_students_searched, letter_points, merged_into,
  names_are_closed, note_touched, note_unsealed, note_unsigned, offering_maximum, own_visibility,
  prerequisites_lost_by_credits, refuse_by_control, refuse_without_case, registration_pairs, required_documents,
  requirement_places, result_value, results_changed, results_of_bylaw, results_of_grade, revise_terms, same_record,
  scaled_scheme, scheme_maximum, sealed_key, settle_documents, settle_standing, staff_documents, figures_out,
  result_out;
