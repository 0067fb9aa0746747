-- The end of a year under a regulation by marks: the council's rule on grace marks, second sessions, results of levels.

-- What the council of a faculty decided on grace marks for a year. What is empty is as the bylaw has it.
create table grace_rules (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  year_id integer not null references years,
  -- Who decided, by which decision, when.
  decided_by text not null,
  decision_number text not null,
  decided_on date not null,
  first_for text check (first_for in ('pass_course', 'promote', 'next_rating')),
  then_for text check (then_for in ('pass_course', 'promote', 'next_rating')),
  last_for text check (last_for in ('pass_course', 'promote', 'next_rating')),
  per_course numeric(5, 2) check (per_course >= 0),
  in_all numeric(5, 2) check (in_all >= 0),
  share numeric(5, 2) check (share between 0 and 100),
  on_transcript boolean not null default false,
  search_text text generated always as (fold_text(decision_number || ' ' || decided_by)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint grace_rule_year unique (bylaw_id, year_id),
  constraint grace_rule_order check ((first_for is not null or (then_for is null and last_for is null))
    and (then_for is not null or last_for is null)
    and (then_for is null or then_for <> first_for)
    and (last_for is null or (last_for <> first_for and last_for <> then_for)))
);
create index grace_rules_year on grace_rules (year_id);

-- The term in which a level sits again what it failed.
create table second_sessions (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  year_id integer not null references years,
  level smallint not null check (level between 0 and 7),
  term_id integer not null references terms,
  opened_by integer references users,
  opened_at timestamptz not null default now(),
  constraint second_session_opened unique (bylaw_id, year_id, level)
);
create index second_sessions_year on second_sessions (year_id);
create index second_sessions_term on second_sessions (term_id);
create index second_sessions_opened_by on second_sessions (opened_by);

-- What a level came to in a year: previewed, applied to the students, announced to them; or taken back.
create table level_results (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  year_id integer not null references years,
  level smallint not null check (level between 0 and 7),
  status text not null default 'previewed' check (status in ('previewed', 'applied', 'announced', 'undone')),
  -- The rule on grace marks as it was when this was worked out, with who decided; null: none.
  rule jsonb,
  made_by integer references users,
  made_at timestamptz not null default now(),
  applied_by integer references users,
  applied_at timestamptz,
  announced_by integer references users,
  announced_at timestamptz,
  undone_by integer references users,
  undone_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint level_results_applied check ((applied_at is null) = (status = 'previewed')),
  constraint level_results_undone check ((undone_at is null) = (status <> 'undone'))
);
create index level_results_level on level_results (bylaw_id, year_id, level);
create index level_results_year on level_results (year_id);
create index level_results_made_by on level_results (made_by);
create index level_results_applied_by on level_results (applied_by);
create index level_results_announced_by on level_results (announced_by);
create index level_results_undone_by on level_results (undone_by);

-- One student in it. Marks are those earned; grace marks stand beside them.
create table level_result_students (
  level_result_id integer not null references level_results on delete cascade,
  student_id integer not null references students on delete cascade,
  student_year_id integer not null references student_years on delete cascade,
  -- Without grace marks, and with them.
  outcome_before text not null,
  outcome text not null,
  rating_before text,
  rating text,
  marks numeric(7, 2) not null,
  maximum numeric(7, 2) not null,
  -- Grace marks in all, and those of them that are given on the sum of the level.
  grace numeric(5, 2) not null default 0 check (grace >= 0),
  grace_on_sum numeric(5, 2) not null default 0 check (grace_on_sum >= 0 and grace_on_sum <= grace),
  reasons jsonb not null,
  -- Each course as it was when this was worked out.
  courses jsonb not null,
  uses_chance boolean not null,
  failed smallint not null,
  -- Of who has the degree by it: the rating over the levels that count, with honours or why not.
  degree jsonb,
  applied boolean not null default false,
  -- What the student was before, for who takes it back.
  was jsonb,
  next_year_id integer references student_years on delete set null,
  primary key (level_result_id, student_id)
);
-- A year is decided once, whoever decides.
create unique index level_result_applied on level_result_students (student_year_id) where applied;
create index level_result_students_year on level_result_students (student_year_id);
create index level_result_students_student on level_result_students (student_id);
create index level_result_students_next on level_result_students (next_year_id);

-- Grace marks on a course, beside the mark that was earned.
create table grace_marks (
  registration_id integer primary key references registrations on delete cascade,
  level_result_id integer not null references level_results,
  marks numeric(5, 2) not null check (marks > 0)
);
create index grace_marks_result on grace_marks (level_result_id);

select audit_table(name) from unnest(array['grace_rules', 'second_sessions', 'level_results']) as name;
select audit_table('grace_marks');

-- A rule that was applied stays as it was applied.
create function grace_rule_applied() returns trigger language plpgsql as $$
begin
  if exists (select from level_results r where r.bylaw_id = old.bylaw_id and r.year_id = old.year_id
      and r.status in ('applied', 'announced')) then
    raise exception using errcode = 'UE409', message = 'grace_rule_applied', detail = '{}';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger grace_rule_applied before update or delete on grace_rules for each row execute function grace_rule_applied();

-- Results on which a level was decided do not go back to control before the decision does.
create function level_result_stands() returns trigger language plpgsql as $$
begin
  if exists (select from registrations r join level_result_students s on s.student_id = r.student_id and s.applied
      join level_results l on l.id = s.level_result_id join terms t on t.id = r.term_id and t.year_id = l.year_id
      where r.offering_id = new.id) then
    raise exception using errcode = 'UE409', message = 'level_result_stands', detail = '{}';
  end if;
  return new;
end $$;
create trigger level_result_stands before update of control_status on offerings for each row
  when (old.control_status in ('Approved', 'Published', 'Frozen') and new.control_status in ('Draft', 'Submitted', 'Reviewed'))
  execute function level_result_stands();

-- Who approves results of courses decides levels as well.
insert into role_permissions (role_id, permission, reach)
select p.role_id, k.key, p.reach from role_permissions p
cross join unnest(array['access_level_result', 'apply_level_result', 'access_graceRule', 'show_graceRule', 'add_graceRule',
  'edit_graceRule', 'remove_graceRule', 'restore_graceRule', 'export_graceRule', 'import_graceRule']) as k(key)
where p.permission = 'approve_control' on conflict do nothing;

-- Who signs the result sheet of a level.
insert into signing_positions (chain, position, title, title_local)
values ('level_result', 1, 'Entered by', 'كتبه'), ('level_result', 2, 'Read out by', 'أملاه'),
  ('level_result', 3, 'Reviewed by', 'راجعه'), ('level_result', 4, 'Head of control', 'رئيس الكنترول'),
  ('level_result', 5, 'Dean', 'عميد الكلية')
on conflict do nothing;
