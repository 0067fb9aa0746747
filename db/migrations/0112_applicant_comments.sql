-- What the desk writes to an applicant about a tab. It is settled when the application is sent in again.
create table applicant_comments (
  id integer generated always as identity primary key,
  applicant_id integer not null references applicants,
  tab text not null check (length(tab) between 1 and 40),
  text text not null check (length(text) between 3 and 1000),
  created_by integer references users,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index applicant_comments_applicant on applicant_comments (applicant_id, id);
create index applicant_comments_created_by on applicant_comments (created_by);
select audit_table('applicant_comments');
