-- Specifications of courses and programs: what is learnt, how it is taught and assessed, by academic year and with versions. What is
-- approved is never changed; the next version is copied from it.

create table specifications (
  id integer generated always as identity primary key,
  course_id integer references courses,
  program_id integer references programs,
  year_id integer not null references years,
  -- Counted within the year, removed ones included: a number is never used twice.
  revision smallint not null check (revision > 0),
  from_id integer references specifications,
  aims text,
  aims_local text,
  -- An outcome counts as reached by whoever has this share of its marks (percent), and is attained where this share of the students reached it.
  threshold smallint not null default 60 check (threshold between 1 and 100),
  target smallint not null default 70 check (target between 1 and 100),
  status text not null default 'draft' check (status in ('draft', 'submitted', 'sent_back', 'approved')),
  approved_on date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specification_of_one check (num_nonnulls(course_id, program_id) = 1),
  constraint specification_approved check ((approved_on is not null) = (status = 'approved')),
  constraint specification_revision unique nulls not distinct (course_id, program_id, year_id, revision)
);
-- One version at a time is worked on.
create unique index specification_open on specifications (course_id, program_id, year_id) nulls not distinct
  where status <> 'approved' and removed_at is null;
create index specifications_program on specifications (program_id);
create index specifications_year on specifications (year_id, status) where removed_at is null;
create index specifications_from on specifications (from_id);
select audit_table('specifications');
install function guard_specification;
create trigger kept before update or delete on specifications for each row execute function guard_specification();

-- What graduates of a program, or students of a course, can do.
create table specification_outcomes (
  id integer generated always as identity primary key,
  specification_id integer not null references specifications on delete cascade,
  position smallint not null check (position > 0),
  code text not null check (code = btrim(code) and code <> ''),
  domain text not null check (domain in ('knowledge', 'skills', 'competences')),
  -- Of the taxonomy, from 1 (remember) to 6 (create).
  level smallint not null check (level between 1 and 6),
  verb text,
  text text not null,
  text_local text not null,
  -- In place of the target of the specification.
  target smallint check (target between 1 and 100),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint specification_outcome_twice unique (specification_id, code),
  constraint specification_outcomes_own unique (specification_id, id)
);
create table specification_topics (
  id integer generated always as identity primary key,
  specification_id integer not null references specifications on delete cascade,
  position smallint not null check (position > 0),
  text text not null,
  text_local text not null,
  weeks smallint check (weeks between 1 and 52),
  hours numeric(5, 2) check (hours > 0 and hours <= 400),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint specification_topic_twice unique (specification_id, text),
  constraint specification_topics_own unique (specification_id, id)
);
create table specification_methods (
  id integer generated always as identity primary key,
  specification_id integer not null references specifications on delete cascade,
  position smallint not null check (position > 0),
  text text not null,
  text_local text not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint specification_method_twice unique (specification_id, text),
  constraint specification_methods_own unique (specification_id, id)
);
create table specification_assessments (
  id integer generated always as identity primary key,
  specification_id integer not null references specifications on delete cascade,
  position smallint not null check (position > 0),
  text text not null,
  text_local text not null,
  -- Percent of the whole.
  weight numeric(5, 2) check (weight > 0 and weight <= 100),
  week smallint check (week between 1 and 52),
  -- Under which part of the mark scheme its marks are entered.
  mark_category_id integer references mark_categories,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- Of the documents: criteria of assessment are not repeated.
  constraint specification_assessment_twice unique (specification_id, text),
  constraint specification_assessments_own unique (specification_id, id)
);
create index specification_assessments_category on specification_assessments (mark_category_id);
create table specification_references (
  id integer generated always as identity primary key,
  specification_id integer not null references specifications on delete cascade,
  position smallint not null check (position > 0),
  kind text not null check (kind in ('textbook', 'further', 'web')),
  text text not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint specification_reference_twice unique (specification_id, text),
  constraint specification_references_own unique (specification_id, id)
);

-- The matrices: which outcome is taught and assessed by what, and which outcome of a program it serves.
create table outcome_topics (
  specification_id integer not null,
  outcome_id integer not null,
  topic_id integer not null,
  primary key (outcome_id, topic_id),
  foreign key (specification_id, outcome_id) references specification_outcomes (specification_id, id) on delete cascade,
  foreign key (specification_id, topic_id) references specification_topics (specification_id, id) on delete cascade
);
create index outcome_topics_topic on outcome_topics (topic_id);
create table outcome_methods (
  specification_id integer not null,
  outcome_id integer not null,
  method_id integer not null,
  primary key (outcome_id, method_id),
  foreign key (specification_id, outcome_id) references specification_outcomes (specification_id, id) on delete cascade,
  foreign key (specification_id, method_id) references specification_methods (specification_id, id) on delete cascade
);
create index outcome_methods_method on outcome_methods (method_id);
create table outcome_assessments (
  specification_id integer not null,
  outcome_id integer not null,
  assessment_id integer not null,
  primary key (outcome_id, assessment_id),
  foreign key (specification_id, outcome_id) references specification_outcomes (specification_id, id) on delete cascade,
  foreign key (specification_id, assessment_id) references specification_assessments (specification_id, id) on delete cascade
);
create index outcome_assessments_assessment on outcome_assessments (assessment_id);
-- By the code of the program's outcome: it stays when the program has a new version, and is told where the code is gone.
create table outcome_contributions (
  specification_id integer not null,
  outcome_id integer not null,
  program_id integer not null references programs,
  code text not null,
  primary key (outcome_id, program_id, code),
  foreign key (specification_id, outcome_id) references specification_outcomes (specification_id, id) on delete cascade
);
create index outcome_contributions_program on outcome_contributions (program_id, code);
create index outcome_contributions_specification on outcome_contributions (specification_id);
create index outcome_topics_specification on outcome_topics (specification_id);
create index outcome_methods_specification on outcome_methods (specification_id);
create index outcome_assessments_specification on outcome_assessments (specification_id);

install function guard_specification_part;
do $$
declare
  part text;
begin
  foreach part in array array['specification_outcomes', 'specification_topics', 'specification_methods', 'specification_assessments',
      'specification_references'] loop
    perform audit_rows(part, 'specification_id');
    execute format('create trigger while_open before insert or update or delete on %I for each row execute function guard_specification_part()', part);
    execute format('create trigger touch before update on %I for each row execute function touch_version()', part);
  end loop;
  foreach part in array array['outcome_topics', 'outcome_methods', 'outcome_assessments', 'outcome_contributions'] loop
    execute format('create trigger while_open before insert or update or delete on %I for each row execute function guard_specification_part()', part);
  end loop;
end $$;
select audit_table('outcome_topics');
select audit_table('outcome_methods');
select audit_table('outcome_assessments');
select audit_table('outcome_contributions');
install function specification_in_force;
