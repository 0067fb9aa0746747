-- Applicants, from the first word of a form that anybody may open. Nobody has an account here: an address is verified by a code,
-- and an application is opened by its id and a secret key.

create table applicants (
  id integer generated always as identity primary key,
  code text not null,
  admission_id integer not null references admissions,
  status text not null default 'INCOMPLETE' check (status in ('INCOMPLETE', 'SUBMITTED', 'FEEDBACK', 'UPDATED', 'REVIEWED',
    'EXAM_FEES_REQUIRED', 'exam required', 'EXAM_FAILS', 'DISTRIBUATION_REQUIRED', 'EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED',
    'APPROVED', 'accepted', 'REJECTED', 'CANCELLED')),
  -- The address that was verified, and the language in which it is written to.
  email text not null check (email = lower(email)),
  language text not null default 'ar' check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  key_hash bytea not null,
  name text,
  name_local text,
  search_text text generated always as (fold_text(code || ' ' || coalesce(name, '') || ' ' || coalesce(name_local, '') || ' ' || email
    || ' ' || coalesce(national_id, '') || ' ' || coalesce(passport_number, ''))) stored,
  nationality_id integer references countries,
  national_id text check (national_id ~ '^\d{14}$'),
  passport_number text,
  gender smallint check (gender in (1, 2)),
  birth_date date,
  birth_community_id integer references communities,
  military_status text check (military_status in ('exempted', 'temporary_exempted', 'done', 'foreign', 'suspended')),
  phone text,
  second_phone text,
  country_id integer references countries,
  community_id integer references communities,
  address text,
  postal_code text,
  father_name text,
  father_national_id text check (father_national_id ~ '^\d{14}$'),
  father_job text,
  father_phone text,
  mother_name text,
  mother_job text,
  mother_phone text,
  guardian_name text,
  guardian_relation text,
  guardian_phone text,
  sibling_code text,
  sibling_faculty_id integer references faculties,
  certificate_type_id integer references certificate_types,
  certificate_country_id integer references countries,
  certificate_year integer,
  certificate_school text,
  seat_number text,
  certificate_total numeric(7, 2) check (certificate_total >= 0),
  -- Of the certificate or, of postgraduates, of the first degree: hundredths of a percent, rounded half up.
  percentage numeric(5, 2) check (percentage between 0 and 100),
  previous_university text,
  previous_faculty text,
  previous_program text,
  previous_hours numeric(6, 2),
  previous_gpa numeric(4, 2),
  exam_location text,
  referral_source text,
  english_exam text check (english_exam in ('none', 'toefl', 'ielts', 'ept', 'other')),
  english_score text,
  english_date date,
  wants_scholarship boolean not null default false,
  scholarship_reason text,
  wants_financial_aid boolean not null default false,
  financial_aid_reason text,
  family_income bigint,
  family_members smallint,
  -- What was declared keeps its words.
  declared jsonb,
  declared_at timestamptz,
  submitted_at timestamptz,
  require_payment boolean not null default false,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint applicants_code_key unique (code),
  constraint applicant_submitted check (status in ('INCOMPLETE', 'CANCELLED') or submitted_at is not null),
  constraint applicant_declared check ((declared is null) = (declared_at is null))
);
select one_code_in_any_case('applicants');
create index applicants_admission on applicants (admission_id, status);
create index applicants_email on applicants (email);
create index applicants_national_id on applicants (national_id) where national_id is not null;
create index applicants_passport on applicants (passport_number) where passport_number is not null;
create index applicants_nationality on applicants (nationality_id);
create index applicants_birth_community on applicants (birth_community_id);
create index applicants_country on applicants (country_id);
create index applicants_community on applicants (community_id);
create index applicants_sibling_faculty on applicants (sibling_faculty_id);
create index applicants_certificate on applicants (certificate_type_id);
create index applicants_certificate_country on applicants (certificate_country_id);
create index applicants_search on applicants using gin (search_text gin_trgm_ops);
create index applicants_incomplete on applicants (updated_at) where status = 'INCOMPLETE';
select audit_table('applicants', array['key_hash', 'declared', 'declared_at', 'language', 'require_payment']);

create table applicant_subjects (
  id integer generated always as identity primary key,
  applicant_id integer not null references applicants on delete cascade,
  position smallint not null,
  certificate_subject_id integer not null references certificate_subjects,
  mark numeric(7, 2) not null check (mark >= 0),
  constraint applicant_subject_once unique (applicant_id, certificate_subject_id) deferrable
);
create index applicant_subjects_applicant on applicant_subjects (applicant_id);
create index applicant_subjects_subject on applicant_subjects (certificate_subject_id);
select audit_rows('applicant_subjects', 'applicant_id');

create table applicant_preferences (
  id integer generated always as identity primary key,
  applicant_id integer not null references applicants on delete cascade,
  position smallint not null check (position between 0 and 14),
  program_id integer not null references programs,
  constraint applicant_preference_once unique (applicant_id, program_id) deferrable,
  constraint applicant_preference_place unique (applicant_id, position) deferrable
);
create index applicant_preferences_applicant on applicant_preferences (applicant_id);
create index applicant_preferences_program on applicant_preferences (program_id);
select audit_rows('applicant_preferences', 'applicant_id');

create table applicant_degrees (
  id integer generated always as identity primary key,
  applicant_id integer not null references applicants on delete cascade,
  position smallint not null,
  degree text not null check (degree in ('bachelor', 'diploma', 'master')),
  university text not null,
  faculty text,
  program text,
  country_id integer references countries,
  year integer not null,
  percentage numeric(5, 2) not null check (percentage between 0 and 100),
  constraint applicant_degree_once unique (applicant_id, degree) deferrable
);
create index applicant_degrees_applicant on applicant_degrees (applicant_id);
create index applicant_degrees_country on applicant_degrees (country_id);
select audit_rows('applicant_degrees', 'applicant_id');

create table applicant_documents (
  id integer generated always as identity primary key,
  applicant_id integer not null references applicants on delete cascade,
  document_kind_id integer not null references document_kinds,
  file_id integer not null references files,
  created_at timestamptz not null default now(),
  constraint applicant_document_once unique (applicant_id, document_kind_id)
);
create index applicant_documents_applicant on applicant_documents (applicant_id);
create index applicant_documents_kind on applicant_documents (document_kind_id);
create index applicant_documents_file on applicant_documents (file_id);
select audit_rows('applicant_documents', 'applicant_id');

-- Codes that were sent to addresses: one waits for each, for ten minutes. Nothing of the address is kept but its hash.
create table intake_codes (
  address_hash bytea primary key,
  code_hash bytea not null,
  tries smallint not null default 0,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index intake_codes_expires on intake_codes (expires_at);

-- Puzzles that were solved: each is good for one request.
create table intake_puzzles (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index intake_puzzles_expires on intake_puzzles (expires_at);
