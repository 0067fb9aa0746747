-- Theses: from a subject that is offered or an idea of one's own to the degree, with the team, the clock of the bylaw, the councils'
-- decisions and the discussion.

alter table role_permissions drop constraint role_permissions_reach,
  add constraint role_permissions_reach check (reach in ('scope', 'own', 'taught', 'advised', 'supervised'));

-- What a bylaw asks of theses. For a bylaw without a row the defaults below hold.
create table thesis_rules (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  -- Months: from registration until the council has approved; from then until the discussion at the earliest and at the latest.
  approve_months smallint not null default 6 check (approve_months between 1 and 36),
  min_months smallint not null default 6 check (min_months between 0 and 60),
  max_months smallint not null default 36 check (max_months between 1 and 120),
  extension_months smallint not null default 6 check (extension_months between 1 and 24),
  max_extensions smallint not null default 2 check (max_extensions between 0 and 10),
  report_months smallint not null default 6 check (report_months between 1 and 24),
  min_seminars smallint not null default 1 check (min_seminars between 0 and 20),
  min_publications smallint not null default 0 check (min_publications between 0 and 20),
  needs_language boolean not null default false,
  max_similarity numeric(4, 1) not null default 25 check (max_similarity between 0 and 100),
  min_committee smallint not null default 3 check (min_committee between 2 and 9),
  min_external smallint not null default 1 check (min_external between 0 and 5),
  max_supervised smallint not null default 10 check (max_supervised between 1 and 100),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint thesis_rule_twice unique (bylaw_id),
  constraint thesis_rule_window check (min_months <= max_months),
  constraint thesis_rule_committee check (min_external < min_committee)
);
select audit_table('thesis_rules');

-- Examiners of other universities.
select create_lookup('external_examiners');
alter table external_examiners
  add column university text not null check (char_length(university) between 1 and 200),
  add column academic_title text not null check (academic_title in ('professor', 'associate_professor', 'lecturer', 'expert')),
  add column email text;

-- Subjects that supervisors offer, with places; students put them in the order of their wishes.
create table thesis_subjects (
  id integer generated always as identity primary key,
  instructor_id integer not null references instructors,
  department_id integer not null references departments,
  name text not null check (char_length(name) between 1 and 400),
  name_local text not null check (char_length(name_local) between 1 and 400),
  description text,
  places smallint not null default 1 check (places between 1 and 20),
  open_until date,
  search_text text generated always as (fold_text(name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index thesis_subjects_instructor on thesis_subjects (instructor_id);
create index thesis_subjects_department on thesis_subjects (department_id);
select audit_table('thesis_subjects');

create table thesis_wishes (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  subject_id integer not null references thesis_subjects on delete cascade,
  position smallint not null check (position between 1 and 10),
  created_at timestamptz not null default now(),
  constraint thesis_wish_twice unique (student_id, subject_id) deferrable,
  constraint thesis_wish_place unique (student_id, position) deferrable
);
create index thesis_wishes_subject on thesis_wishes (subject_id, position);
select audit_rows('thesis_wishes', 'student_id');

create table theses (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  subject_id integer references thesis_subjects,
  department_id integer not null references departments,
  degree text not null check (degree in ('master', 'doctorate')),
  language text not null default 'ar' check (language in ('ar', 'en')),
  title text not null check (char_length(title) between 1 and 400),
  title_local text not null check (char_length(title_local) between 1 and 400),
  abstract text,
  abstract_local text,
  keywords text,
  keywords_local text,
  status text not null default 'draft'
    check (status in ('draft', 'registered', 'approved', 'changing', 'discussed', 'granted', 'ended')),
  registered_on date,
  approved_on date,
  granted_on date,
  -- The latest day of the next step, with what was added; kept by whoever moves a step or the clock.
  due_on date,
  -- On which day it was told that 90, 30 and 7 days are left, and that the day has passed.
  told_90 date,
  told_30 date,
  told_7 date,
  told_late date,
  search_text text generated always as (fold_text(title || ' ' || title_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint thesis_registered check (status in ('draft', 'ended') or registered_on is not null),
  constraint thesis_approved check (status not in ('approved', 'changing', 'discussed', 'granted') or approved_on is not null),
  constraint thesis_granted check ((status = 'granted') = (granted_on is not null))
);
-- A student writes one at a time.
create unique index thesis_twice on theses (student_id) where removed_at is null and status not in ('granted', 'ended');
create index theses_student on theses (student_id);
create index theses_subject on theses (subject_id) where removed_at is null and status <> 'ended';
create index theses_department on theses (department_id);
create index theses_due on theses (due_on) where removed_at is null and status in ('registered', 'approved', 'changing', 'discussed');
create index theses_search on theses using gin (search_text gin_trgm_ops);
select audit_table('theses', '{told_90,told_30,told_7,told_late}');

-- Who is on the team: those of the university, and examiners of others. Who left stays with the last day.
create table thesis_members (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  instructor_id integer references instructors,
  examiner_id integer references external_examiners,
  job text not null check (job in ('leader', 'member', 'committee', 'observe', 'reviewers')),
  position smallint not null check (position between 1 and 100),
  -- Percent of the supervision.
  share smallint check (share between 1 and 100),
  -- What binds the person to the student, as declared.
  tie text not null default 'none' check (tie in ('none', 'relative', 'coauthor')),
  from_date date not null default university_today(),
  until_date date,
  constraint thesis_member_one check (num_nonnulls(instructor_id, examiner_id) = 1),
  constraint thesis_member_period check (until_date is null or until_date >= from_date),
  constraint thesis_member_share check (share is null or job in ('leader', 'member'))
);
create unique index thesis_member_twice on thesis_members (thesis_id, instructor_id) where until_date is null and instructor_id is not null;
create unique index thesis_examiner_twice on thesis_members (thesis_id, examiner_id) where until_date is null and examiner_id is not null;
create unique index thesis_leader_twice on thesis_members (thesis_id) where until_date is null and job = 'leader';
create index thesis_members_of on thesis_members (thesis_id, position);
create index thesis_members_instructor on thesis_members (instructor_id) where until_date is null;
create index thesis_members_instructor_all on thesis_members (instructor_id);
create index thesis_members_examiner on thesis_members (examiner_id);
select audit_rows('thesis_members', 'thesis_id');

-- What a council decided; one that was taken back stays, and counts no more.
create table thesis_decisions (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  kind text not null check (kind in ('approve', 'change', 'grant')),
  council text not null check (char_length(council) between 1 and 200),
  session text not null check (char_length(session) between 1 and 40),
  number text not null check (char_length(number) between 1 and 40),
  decided_on date not null,
  undone_at timestamptz,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now()
);
create index thesis_decisions_of on thesis_decisions (thesis_id, id);
create index thesis_decisions_created_by on thesis_decisions (created_by);
select audit_rows('thesis_decisions', 'thesis_id');

-- A change of title, department or supervisors: what is asked, and what stood before.
create table thesis_changes (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  title text check (char_length(title) between 1 and 400),
  title_local text check (char_length(title_local) between 1 and 400),
  department_id integer references departments,
  -- [{instructor_id | examiner_id, job, share}]; null: the supervisors stay.
  supervisors jsonb check (jsonb_typeof(supervisors) = 'array'),
  before jsonb not null check (jsonb_typeof(before) = 'object'),
  reason text not null check (char_length(reason) between 1 and 1000),
  state text not null default 'waiting' check (state in ('waiting', 'applied', 'taken_back')),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint thesis_change_something check (num_nonnulls(title, title_local, department_id, supervisors) > 0)
);
create unique index thesis_change_waits on thesis_changes (thesis_id) where state = 'waiting';
create index thesis_changes_of on thesis_changes (thesis_id, id);
create index thesis_changes_department on thesis_changes (department_id);
create index thesis_changes_created_by on thesis_changes (created_by);
select audit_rows('thesis_changes', 'thesis_id');

-- What stops the clock, or puts the latest day off.
create table thesis_clock (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  kind text not null check (kind in ('extension', 'suspension')),
  from_date date not null,
  until_date date not null,
  reason text not null check (char_length(reason) between 1 and 1000),
  decision text not null check (char_length(decision) between 1 and 100),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint thesis_clock_period check (until_date > from_date),
  constraint thesis_suspended_twice exclude using gist (thesis_id with =, daterange(from_date, until_date) with &&) where (kind = 'suspension')
);
create index thesis_clock_of on thesis_clock (thesis_id, id);
create index thesis_clock_created_by on thesis_clock (created_by);
select audit_rows('thesis_clock', 'thesis_id');

-- The discussion: where and when, and what became of it. A room holds one at a time, and so does everybody who sits in one.
create table thesis_discussions (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  location_id integer not null references locations,
  during tstzrange not null check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
  result text check (result in ('accepted', 'changes', 'refused')),
  changes_due date,
  changes_done_on date,
  minutes text check (char_length(minutes) <= 8000),
  cancelled_at timestamptz,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint thesis_discussion_room exclude using gist (location_id with =, during with &&) where (cancelled_at is null),
  constraint thesis_discussion_changes check ((result is not distinct from 'changes') = (changes_due is not null)),
  constraint thesis_discussion_done check (changes_done_on is null or changes_due is not null)
);
create unique index thesis_discussion_twice on thesis_discussions (thesis_id) where cancelled_at is null and result is null;
create index thesis_discussions_of on thesis_discussions (thesis_id, id);
create index thesis_discussions_room on thesis_discussions (location_id);
create index thesis_discussions_created_by on thesis_discussions (created_by);
select audit_rows('thesis_discussions', 'thesis_id');

create table thesis_discussion_people (
  id integer generated always as identity primary key,
  discussion_id integer not null references thesis_discussions on delete cascade,
  instructor_id integer references instructors,
  examiner_id integer references external_examiners,
  during tstzrange not null,
  invited_at timestamptz not null default now(),
  constraint thesis_discussion_person check (num_nonnulls(instructor_id, examiner_id) = 1),
  constraint thesis_discussion_member exclude using gist (instructor_id with =, during with &&) where (instructor_id is not null),
  constraint thesis_discussion_examiner exclude using gist (examiner_id with =, during with &&) where (examiner_id is not null)
);
create index thesis_discussion_people_of on thesis_discussion_people (discussion_id);
create index thesis_discussion_people_instructor on thesis_discussion_people (instructor_id);
create index thesis_discussion_people_examiner on thesis_discussion_people (examiner_id);
select audit_rows('thesis_discussion_people', 'discussion_id');

-- What supervisors report of each half year.
create table thesis_reports (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  until_date date not null,
  progress smallint not null check (progress between 0 and 100),
  satisfied boolean not null,
  text text not null check (char_length(text) between 1 and 4000),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint thesis_report_twice unique (thesis_id, until_date)
);
create index thesis_reports_created_by on thesis_reports (created_by);
select audit_rows('thesis_reports', 'thesis_id');

create table thesis_seminars (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  held_on date not null,
  title text not null check (char_length(title) between 1 and 400),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint thesis_seminar_twice unique (thesis_id, held_on)
);
create index thesis_seminars_created_by on thesis_seminars (created_by);
select audit_rows('thesis_seminars', 'thesis_id');

-- Proofs of what has to be there before the discussion: a test of a language, a paper that was published.
create table thesis_proofs (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  kind text not null check (kind in ('language', 'publication')),
  text text not null check (char_length(text) between 1 and 1000),
  file_id integer references files,
  accepted_at timestamptz,
  accepted_by integer references users on delete set null,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint thesis_proof_accepted check (accepted_at is not null or accepted_by is null)
);
create index thesis_proofs_of on thesis_proofs (thesis_id, kind);
create index thesis_proofs_file on thesis_proofs (file_id);
create index thesis_proofs_accepted_by on thesis_proofs (accepted_by);
create index thesis_proofs_created_by on thesis_proofs (created_by);
select audit_rows('thesis_proofs', 'thesis_id');

-- The manuscript, version by version, and what is said at its pages.
create table thesis_versions (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses on delete cascade,
  number smallint not null check (number between 1 and 999),
  file_id integer not null references files,
  note text check (char_length(note) <= 2000),
  -- The student has declared that it is the own work.
  declared_at timestamptz not null,
  similarity numeric(4, 1) check (similarity between 0 and 100),
  similarity_file_id integer references files,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint thesis_version_twice unique (thesis_id, number),
  constraint thesis_version_similarity check ((similarity is null) = (similarity_file_id is null))
);
create index thesis_versions_file on thesis_versions (file_id);
create index thesis_versions_similarity on thesis_versions (similarity_file_id);
create index thesis_versions_created_by on thesis_versions (created_by);
select audit_rows('thesis_versions', 'thesis_id');

create table thesis_remarks (
  id integer generated always as identity primary key,
  version_id integer not null references thesis_versions on delete cascade,
  reply_to integer references thesis_remarks,
  page smallint check (page between 1 and 5000),
  text text not null check (char_length(text) between 1 and 4000),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  settled_by integer references users on delete set null,
  constraint thesis_remark_thread check (reply_to is null or num_nonnulls(page, settled_at) = 0),
  constraint thesis_remark_settled check (settled_at is not null or settled_by is null)
);
create index thesis_remarks_of on thesis_remarks (version_id, id);
create index thesis_remarks_reply on thesis_remarks (reply_to);
create index thesis_remarks_created_by on thesis_remarks (created_by);
create index thesis_remarks_settled_by on thesis_remarks (settled_by);
select audit_rows('thesis_remarks', 'version_id');

install function thesis_words;
-- What the repository shows of a granted thesis. A withdrawn one leaves its address and a word on why.
create table thesis_deposits (
  id integer generated always as identity primary key,
  thesis_id integer not null references theses,
  -- The stable address: /repository/{handle}.
  handle text not null constraint thesis_deposit_handle unique check (handle ~ '^[0-9a-z-]{4,40}$'),
  file_id integer not null references files,
  title text not null,
  title_local text not null,
  creator text not null,
  creator_local text not null,
  contributors jsonb not null check (jsonb_typeof(contributors) = 'array'),
  abstract text not null,
  abstract_local text not null,
  keywords text,
  keywords_local text,
  language text not null check (language in ('ar', 'en')),
  degree text not null check (degree in ('master', 'doctorate')),
  faculty_id integer not null references faculties,
  granted_on date not null,
  licence text not null default 'reserved' check (licence in ('reserved', 'cc-by', 'cc-by-nc', 'cc-by-nc-nd')),
  -- The file is closed before this day, and open on it.
  embargo_until date,
  deposited_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawn_reason text check (char_length(withdrawn_reason) between 1 and 1000),
  -- When the record changed last, to the second: what harvesters ask by.
  stamp timestamptz not null default date_trunc('second', now()),
  -- Words as they stand, and without the article and what is joined to it: «المهارات» is found by «مهار».
  words tsvector generated always as (thesis_words(fold_text(title || ' ' || title_local || ' ' || creator || ' ' || creator_local || ' '
    || abstract || ' ' || abstract_local || ' ' || coalesce(keywords, '') || ' ' || coalesce(keywords_local, '')))) stored,
  created_by integer references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint thesis_deposit_twice unique (thesis_id),
  constraint thesis_deposit_withdrawn check ((withdrawn_at is null) = (withdrawn_reason is null))
);
create index thesis_deposits_file on thesis_deposits (file_id);
create index thesis_deposits_faculty on thesis_deposits (faculty_id, stamp, id);
create index thesis_deposits_stamp on thesis_deposits (stamp, id);
create index thesis_deposits_created_by on thesis_deposits (created_by);
create index thesis_deposits_words on thesis_deposits using gin (words);
select audit_table('thesis_deposits');
