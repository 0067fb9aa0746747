-- What the attainment of outcomes shows, what is done about it, by whom and until when, and what was seen the year after.
create table quality_findings (
  id integer generated always as identity primary key,
  course_id integer references courses,
  program_id integer references programs,
  -- The year that was measured, and the outcome.
  year_id integer not null references years,
  outcome_code text not null check (outcome_code = btrim(outcome_code) and outcome_code <> ''),
  finding text not null,
  action text not null,
  responsible_id integer not null references instructors,
  due_on date not null,
  -- Percent of the students who had reached the outcome when the finding was written; null: it was not measured.
  share numeric(5, 2) check (share between 0 and 100),
  status text not null default 'action_planned' check (status in ('action_planned', 'action_taken', 'improved', 'not_improved')),
  -- The later year in which it was looked at again, and what was measured then.
  seen_year_id integer references years,
  seen_share numeric(5, 2) check (seen_share between 0 and 100),
  search_text text generated always as (fold_text(outcome_code || ' ' || finding || ' ' || action)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint finding_of_one check (num_nonnulls(course_id, program_id) = 1),
  constraint finding_seen check ((seen_year_id is not null) = (status in ('improved', 'not_improved')))
);
create index quality_findings_course on quality_findings (course_id);
create index quality_findings_program on quality_findings (program_id);
create index quality_findings_year on quality_findings (year_id);
create index quality_findings_seen_year on quality_findings (seen_year_id);
create index quality_findings_responsible on quality_findings (responsible_id, due_on) where status = 'action_planned' and removed_at is null;
select audit_table('quality_findings');
