-- Admissions: who applies for what in which days, what is asked and paid, how applicants are ranked, and the programs with their seats.

select create_lookup('certificate_subjects');

select create_lookup('certificate_types');
alter table certificate_types
  add column certificate_group text not null
    check (certificate_group in ('general', 'azhar', 'stem', 'arab', 'international', 'technical')),
  add column country_id integer references countries,
  add column max_total numeric(7, 2) not null check (max_total >= 1),
  add column is_active boolean not null default false;
create index certificate_types_country on certificate_types (country_id);

create table certificate_type_subjects (
  id integer generated always as identity primary key,
  certificate_type_id integer not null references certificate_types on delete cascade,
  position smallint not null,
  certificate_subject_id integer not null references certificate_subjects,
  max_mark numeric(7, 2) not null check (max_mark >= 1),
  is_required boolean not null default false,
  is_counted boolean not null default false,
  constraint certificate_subject_once unique (certificate_type_id, certificate_subject_id) deferrable
);
create index certificate_type_subjects_type on certificate_type_subjects (certificate_type_id);
create index certificate_type_subjects_subject on certificate_type_subjects (certificate_subject_id);
select audit_rows('certificate_type_subjects', 'certificate_type_id');

select create_lookup('communities');
alter table communities
  add column country_id integer references countries,
  add column national_id_code text check (national_id_code ~ '^\d\d$');
create index communities_country on communities (country_id);
-- The figures of an id name one governorate.
create unique index community_figures on communities (national_id_code) where removed_at is null;

select create_lookup('admissions');
alter table admissions
  add column applicant_type smallint not null check (applicant_type in (1, 3, 4, 5, 6)),
  add column term_id integer not null references terms,
  add column opens_at timestamptz not null,
  add column closes_at timestamptz not null,
  add column results_at timestamptz,
  add column pay_until date,
  add column is_early boolean not null default false,
  add column max_preferences smallint not null check (max_preferences between 1 and 15),
  add column has_exam boolean not null default false,
  add column has_interview boolean not null default false,
  add column min_exam numeric(5, 2) check (min_exam between 0 and 100),
  add column has_scholarships boolean not null default false,
  add column weight_percentage numeric(5, 2) not null check (weight_percentage between 0 and 100),
  add column weight_exam numeric(5, 2) not null check (weight_exam between 0 and 100),
  add constraint admission_days_order check (opens_at < closes_at),
  add constraint admission_results_after check (results_at >= closes_at);
create index admissions_term on admissions (term_id);
create index admissions_open on admissions (closes_at) where removed_at is null;

create table admission_fees (
  id integer generated always as identity primary key,
  admission_id integer not null references admissions on delete cascade,
  position smallint not null,
  fee text not null check (fee in ('application', 'exam', 'final')),
  asked_of text not null check (asked_of in ('all', 'egyptian', 'foreign')),
  currency text not null references currencies (code),
  amount bigint not null check (amount > 0),
  constraint admission_fee_once unique (admission_id, fee, asked_of) deferrable
);
create index admission_fees_admission on admission_fees (admission_id);
create index admission_fees_currency on admission_fees (currency);
select audit_rows('admission_fees', 'admission_id');

create table admission_documents (
  id integer generated always as identity primary key,
  admission_id integer not null references admissions on delete cascade,
  position smallint not null,
  document_kind_id integer not null references document_kinds,
  asked_of text not null check (asked_of in ('all', 'egyptian', 'foreign')),
  certificate_type_id integer references certificate_types,
  is_required boolean not null default false,
  constraint admission_document_once unique nulls not distinct (admission_id, document_kind_id, asked_of, certificate_type_id) deferrable
);
create index admission_documents_admission on admission_documents (admission_id);
create index admission_documents_kind on admission_documents (document_kind_id);
create index admission_documents_certificate on admission_documents (certificate_type_id);
select audit_rows('admission_documents', 'admission_id');

create table admission_declarations (
  id integer generated always as identity primary key,
  admission_id integer not null references admissions on delete cascade,
  position smallint not null,
  text text not null check (length(text) between 1 and 500),
  text_local text not null check (length(text_local) between 1 and 500)
);
create index admission_declarations_admission on admission_declarations (admission_id);
select audit_rows('admission_declarations', 'admission_id');

create table admission_subject_weights (
  id integer generated always as identity primary key,
  admission_id integer not null references admissions on delete cascade,
  position smallint not null,
  certificate_subject_id integer not null references certificate_subjects,
  weight numeric(5, 2) not null check (weight between 0 and 100),
  constraint admission_weight_once unique (admission_id, certificate_subject_id) deferrable
);
create index admission_subject_weights_admission on admission_subject_weights (admission_id);
create index admission_subject_weights_subject on admission_subject_weights (certificate_subject_id);
select audit_rows('admission_subject_weights', 'admission_id');

create table admission_ties (
  id integer generated always as identity primary key,
  admission_id integer not null references admissions on delete cascade,
  position smallint not null,
  criterion text not null check (criterion in ('percentage', 'subject', 'exam', 'older', 'earlier', 'lot')),
  certificate_subject_id integer references certificate_subjects,
  constraint admission_tie_once unique nulls not distinct (admission_id, criterion, certificate_subject_id) deferrable,
  constraint admission_tie_subject check ((criterion = 'subject') = (certificate_subject_id is not null))
);
create index admission_ties_admission on admission_ties (admission_id);
create index admission_ties_subject on admission_ties (certificate_subject_id);
select audit_rows('admission_ties', 'admission_id');

create table admission_programs (
  id integer generated always as identity primary key,
  admission_id integer not null references admissions,
  program_id integer not null references programs,
  code text not null,
  search_text text generated always as (fold_text(code)) stored,
  capacity integer not null check (capacity between 0 and 100000),
  is_open boolean not null default false,
  min_percentage numeric(5, 2) check (min_percentage between 0 and 100),
  min_exam numeric(5, 2) check (min_exam between 0 and 100),
  min_age smallint check (min_age between 10 and 100),
  max_age smallint check (max_age between 10 and 100),
  gender smallint check (gender in (1, 2)),
  certificates text[] not null default '{}'
    check (certificates <@ array['general', 'azhar', 'stem', 'arab', 'international', 'technical']),
  last_cut_off numeric(5, 2) check (last_cut_off between 0 and 100),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint admission_programs_code_key unique (code),
  constraint admission_program_ages check (min_age <= max_age)
);
-- A program stands in an admission once.
create unique index admission_program_once on admission_programs (admission_id, program_id) where removed_at is null;
select one_code_in_any_case('admission_programs');
create index admission_programs_program on admission_programs (program_id);
select audit_table('admission_programs');

create table admission_quotas (
  id integer generated always as identity primary key,
  admission_program_id integer not null references admission_programs on delete cascade,
  position smallint not null,
  quota_group text not null check (quota_group in
    ('egyptian', 'foreign', 'male', 'female', 'general', 'azhar', 'stem', 'arab', 'international', 'technical')),
  reserved integer check (reserved between 0 and 100000),
  maximum integer check (maximum between 0 and 100000),
  constraint admission_quota_once unique (admission_program_id, quota_group) deferrable,
  constraint admission_quota_order check (reserved <= maximum),
  constraint admission_quota_says check (reserved is not null or maximum is not null)
);
create index admission_quotas_program on admission_quotas (admission_program_id);
select audit_rows('admission_quotas', 'admission_program_id');

create table admission_program_subjects (
  id integer generated always as identity primary key,
  admission_program_id integer not null references admission_programs on delete cascade,
  position smallint not null,
  certificate_subject_id integer not null references certificate_subjects,
  min_percentage numeric(5, 2) not null check (min_percentage between 0 and 100),
  constraint admission_program_subject_once unique (admission_program_id, certificate_subject_id) deferrable
);
create index admission_program_subjects_program on admission_program_subjects (admission_program_id);
create index admission_program_subjects_subject on admission_program_subjects (certificate_subject_id);
select audit_rows('admission_program_subjects', 'admission_program_id');
