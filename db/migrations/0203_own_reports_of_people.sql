-- With which persons an own report is shared, beside roles: each reads it within the own rights.
create table own_report_people (
  report_id integer not null references own_reports on delete cascade,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (report_id, user_id)
);
create index own_report_people_user on own_report_people (user_id);
select audit_table('own_report_people');
