-- Research projects: who works in them as what, what they may spend and have spent, what is to be done by when, what was reported,
-- and what came of them.

create table projects (
  id integer generated always as identity primary key,
  code text not null check (code = btrim(code) and code <> ''),
  name text not null check (name = btrim(name) and name <> ''),
  name_local text not null check (name_local = btrim(name_local) and name_local <> ''),
  faculty_id integer not null references faculties,
  department_id integer references departments,
  summary text,
  summary_local text,
  funder text,
  -- By which the funder knows it.
  grant_number text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  start_date date not null,
  end_date date not null,
  status text not null default 'proposed' check (status in ('proposed', 'running', 'finished', 'rejected')),
  finished_on date,
  created_by integer references users,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local || ' ' || coalesce(funder, '') || ' ' || coalesce(grant_number, ''))) stored,
  constraint project_span check (end_date >= start_date),
  constraint project_finished check ((finished_on is not null) = (status = 'finished')),
  constraint projects_department_of_faculty foreign key (department_id, faculty_id) references departments (id, faculty_id)
);
create unique index project_code_taken on projects (lower(code));
create index projects_faculty on projects (faculty_id);
create index projects_department on projects (department_id);
create index projects_created_by on projects (created_by);
create index projects_search on projects using gin (search_text gin_trgm_ops);
select audit_table('projects');

create table project_members (
  id integer generated always as identity primary key,
  project_id integer not null references projects on delete cascade,
  position smallint not null,
  -- Of the university: the account. Everybody else has a name.
  user_id integer references users,
  name text check (name = btrim(name) and name <> ''),
  job text not null check (job in ('leader', 'co_leader', 'researcher', 'student', 'technician', 'consultant')),
  from_date date,
  until_date date,
  constraint project_member_named check (num_nonnulls(user_id, name) = 1),
  constraint project_member_twice unique (project_id, user_id) deferrable,
  constraint project_member_span check (until_date >= from_date)
);
create index project_members_user on project_members (user_id) where user_id is not null;
-- One leads it.
create unique index project_leader_twice on project_members (project_id) where job = 'leader';
select audit_rows('project_members', 'project_id');

-- What may be spent for what. In minor units of the project's currency.
create table project_budget_lines (
  id integer generated always as identity primary key,
  project_id integer not null references projects on delete cascade,
  position smallint not null,
  name text not null check (name = btrim(name) and name <> ''),
  amount bigint not null check (amount >= 0 and amount <= 100000000000000),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint project_budget_line_twice unique (project_id, name) deferrable,
  constraint project_budget_lines_own unique (project_id, id)
);
select audit_rows('project_budget_lines', 'project_id');
create table project_spendings (
  id integer generated always as identity primary key,
  project_id integer not null,
  line_id integer not null,
  spent_on date not null,
  amount bigint not null check (amount <> 0 and abs(amount) <= 100000000000000),
  what text not null check (what = btrim(what) and what <> ''),
  -- More than the line had left: said by whoever wrote it down, with the reason.
  over_reason text check (over_reason = btrim(over_reason) and over_reason <> ''),
  file_id integer references files,
  created_by integer references users,
  created_at timestamptz not null default now(),
  foreign key (project_id, line_id) references project_budget_lines (project_id, id)
);
create index project_spendings_line on project_spendings (line_id);
create index project_spendings_project on project_spendings (project_id, spent_on);
create index project_spendings_file on project_spendings (file_id) where file_id is not null;
create index project_spendings_created_by on project_spendings (created_by);
select audit_rows('project_spendings', 'project_id');
install function guard_project_spending;
create trigger kept before insert or update on project_spendings for each row execute function guard_project_spending();

create table project_milestones (
  id integer generated always as identity primary key,
  project_id integer not null references projects on delete cascade,
  position smallint not null,
  name text not null check (name = btrim(name) and name <> ''),
  start_date date,
  due_date date not null,
  done_on date,
  constraint project_milestone_twice unique (project_id, name) deferrable,
  constraint project_milestone_span check (due_date >= start_date)
);
select audit_rows('project_milestones', 'project_id');

-- Reports and other documents of a project.
create table project_documents (
  id integer generated always as identity primary key,
  project_id integer not null references projects on delete cascade,
  kind text not null check (kind in ('proposal', 'contract', 'progress_report', 'final_report', 'other')),
  name text not null check (name = btrim(name) and name <> ''),
  file_id integer not null references files,
  created_by integer references users,
  created_at timestamptz not null default now()
);
create index project_documents_project on project_documents (project_id);
create index project_documents_file on project_documents (file_id);
create index project_documents_created_by on project_documents (created_by);
select audit_rows('project_documents', 'project_id');

create table project_publications (
  project_id integer not null references projects on delete cascade,
  publication_id integer not null references publications on delete cascade,
  primary key (project_id, publication_id)
);
create index project_publications_publication on project_publications (publication_id);
