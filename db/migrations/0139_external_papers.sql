-- Papers that people bring from elsewhere: whose they are, who issued them, their files, and what is known of whether they are genuine.

select create_lookup('paper_issuers');
alter table paper_issuers
  add column country_id integer references countries,
  -- Of the office that answers whether a paper is genuine.
  add column email text,
  add column address text;
create index paper_issuers_country on paper_issuers (country_id);

create table external_papers (
  id integer generated always as identity primary key,
  -- Whose it is: of a student, an applicant, or somebody else.
  student_id integer references students,
  applicant_id integer references applicants,
  person_name text,
  issuer_id integer not null references paper_issuers,
  kind text not null check (kind in ('school', 'degree', 'transcript', 'identity', 'other')),
  number text,
  issued_on date,
  note text,
  status text not null default 'New' check (status in ('New', 'issuer asked', 'confirmed', 'not genuine', 'no answer')),
  -- Of the newest file.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint external_paper_person check (num_nonnulls(student_id, applicant_id, person_name) = 1)
);
create unique index external_paper_twice on external_papers (sha256, coalesce(student_id, 0), coalesce(applicant_id, 0), coalesce(person_name, ''))
  where removed_at is null;
create index external_papers_student on external_papers (student_id);
create index external_papers_applicant on external_papers (applicant_id);
create index external_papers_issuer on external_papers (issuer_id);
create index external_papers_status on external_papers (status, created_at) where removed_at is null;
select audit_table('external_papers');

-- Every file of a paper; what was found stands on one of them.
create table external_paper_files (
  id integer generated always as identity primary key,
  paper_id integer not null references external_papers,
  file_id integer not null unique references files,
  sha256 text not null,
  created_by integer references users,
  created_at timestamptz not null default now(),
  constraint external_paper_same_file unique (paper_id, sha256)
);
create index external_paper_files_created_by on external_paper_files (created_by);
select audit_rows('external_paper_files', 'paper_id');

-- What was found: by the file itself, by the issuer's answer through a link, or by a letter that a clerk entered.
create table external_paper_checks (
  id integer generated always as identity primary key,
  paper_id integer not null references external_papers,
  sha256 text not null,
  how text not null check (how in ('file', 'link', 'letter')),
  result text not null check (result in ('genuine', 'not_genuine', 'unknown')),
  -- Of a file: by what it was known, as a code; else what the issuer says.
  found text,
  remark text,
  -- Who answered for the issuer; who entered it.
  answered_by text,
  user_id integer references users,
  file_id integer references files,
  at timestamptz not null default now()
);
create index external_paper_checks_paper on external_paper_checks (paper_id);
create index external_paper_checks_user on external_paper_checks (user_id);
create index external_paper_checks_file on external_paper_checks (file_id);
select audit_rows('external_paper_checks', 'paper_id');

-- A question to the issuer. It ends with an answer, a further file, or when it is given up; its links end with it.
create table external_paper_asks (
  id integer generated always as identity primary key,
  paper_id integer not null references external_papers,
  email text not null,
  asked_by integer references users,
  asked_at timestamptz not null default now(),
  due_on date not null,
  ended_at timestamptz,
  reminded_on date,
  told_on date
);
create unique index external_paper_asks_one on external_paper_asks (paper_id) where ended_at is null;
create index external_paper_asks_due on external_paper_asks (due_on) where ended_at is null;
create index external_paper_asks_asked_by on external_paper_asks (asked_by);
select audit_rows('external_paper_asks', 'paper_id');

create table external_paper_links (
  token_hash bytea primary key,
  ask_id integer not null references external_paper_asks,
  expires_at timestamptz not null
);
create index external_paper_links_ask on external_paper_links (ask_id);
