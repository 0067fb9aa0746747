-- Plans of an internship year: what was asked for, how far the search is, and what it found.
alter table emtyaz_rotations
  -- A plan leaves it where it is.
  add column is_locked boolean not null default false;
create table emtyaz_plans (
  id integer generated always as identity primary key,
  year_id integer not null references emtyaz_years on delete cascade,
  kind text not null check (kind in ('plan', 'repair')),
  -- What is accepted stays, and only the rest is planned.
  keep boolean not null default false,
  state text not null default 'running' check (state in ('running', 'proposed', 'none', 'taken', 'discarded', 'failed')),
  job_id uuid,
  seconds smallint not null check (seconds between 1 and 3600),
  is_stopped boolean not null default false,
  progress smallint not null default 0,
  -- Figures of the plan, and those of the plan that stood then.
  figures jsonb,
  present jsonb,
  -- Rotations of the plan beside what stays.
  plan jsonb,
  -- How many rotations stay, come and go, and which go.
  changes jsonb,
  -- Why there is none.
  reasons jsonb not null default '[]',
  -- What it stands on, to tell what was changed meanwhile.
  base jsonb not null default '{}',
  created_by integer references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  taken_by integer references users,
  taken_at timestamptz
);
create index emtyaz_plans_year on emtyaz_plans (year_id, id desc);
create unique index emtyaz_plan_runs on emtyaz_plans (year_id) where state = 'running';
create index emtyaz_plans_by on emtyaz_plans (created_by);
create index emtyaz_plans_taken_by on emtyaz_plans (taken_by);
create index emtyaz_plans_job on emtyaz_plans (job_id) where state = 'running';

install function end_emtyaz_plan;
create trigger end_emtyaz_plan after update of state on jobs for each row
  when (new.name = 'rotation-plan' and new.state in ('done', 'failed', 'cancelled')) execute function end_emtyaz_plan();
