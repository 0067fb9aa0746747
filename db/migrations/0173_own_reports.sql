-- Reports that somebody put together: what is asked of the figures, never the figures. Whoever opens one sees what the own rights reach.
create table own_reports (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  name text not null constraint own_report_name check (char_length(name) between 1 and 80 and name = btrim(name)),
  asked jsonb not null check (jsonb_typeof(asked) = 'object'),
  -- What is seen first of it.
  shown text not null default 'both' check (shown in ('both', 'table', 'chart')),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index own_report_named on own_reports (user_id, lower(name)) where removed_at is null;
select audit_table('own_reports');

-- With which roles it is shared: whoever holds one of them finds it.
create table own_report_roles (
  report_id integer not null references own_reports on delete cascade,
  role_id integer not null references roles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (report_id, role_id)
);
create index own_report_roles_role on own_report_roles (role_id);
select audit_table('own_report_roles');

-- Which reports stand on the home of a person, and as what.
create table own_report_pins (
  user_id integer not null references users on delete cascade,
  report_id integer not null references own_reports on delete cascade,
  looks text not null check (looks in ('number', 'chart')),
  created_at timestamptz not null default now(),
  primary key (user_id, report_id)
);
create index own_report_pins_report on own_report_pins (report_id);

-- Who has which report sent by mail, on which day of the week (0 is Saturday) and from which hour on, by the clock of the university.
create table own_report_schedules (
  id integer generated always as identity primary key,
  report_id integer not null references own_reports on delete cascade,
  user_id integer not null references users on delete cascade,
  weekday smallint not null check (weekday between 0 and 6),
  hour smallint not null check (hour between 0 and 23),
  file text not null check (file in ('pdf', 'xlsx')),
  -- The day of the next mail.
  next_on date not null,
  ended_at timestamptz,
  -- person: taken back. account: it was closed. right: the figures may not be seen any more. report: it is gone, or shared no more.
  ended_why text check (ended_why in ('person', 'account', 'right', 'report')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint own_report_schedule_ended check ((ended_at is null) = (ended_why is null)),
  constraint own_report_schedule_day check (week_place(next_on) = weekday)
);
create unique index own_report_schedule_runs on own_report_schedules (report_id, user_id) where ended_at is null;
create index own_report_schedules_user on own_report_schedules (user_id);
create index own_report_schedules_next on own_report_schedules (next_on) where ended_at is null;
select audit_table('own_report_schedules', array['next_on']);

-- One mail of a schedule, of one day: there is no second one, whoever sends.
create table own_report_mails (
  schedule_id integer not null references own_report_schedules on delete cascade,
  day date not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'withheld')),
  failures smallint not null default 0 check (failures >= 0),
  -- Not before then: put off after a failure.
  next_at timestamptz not null default now(),
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (schedule_id, day),
  constraint own_report_mail_ended check ((state = 'waiting') = (ended_at is null))
);
create index own_report_mails_waiting on own_report_mails (next_at, schedule_id) where state = 'waiting';
