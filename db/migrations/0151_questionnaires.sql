-- Questionnaires. Who took part and what was answered stand apart, and nothing joins them: docs/decisions/0047-anonymous-answers.md.

select create_lookup('questionnaire_types');
alter table questionnaire_types
  add column kind text not null check (kind in ('student', 'graduate', 'faculty')),
  -- What one set of answers is about: each offering, each instructor of an offering, or all together.
  add column about text not null check (about in ('course', 'instructor', 'university')),
  add column introduction text,
  add column introduction_local text,
  add constraint questionnaire_type_about check (kind = 'student' or about = 'university');

-- The bank: a question of no type is used by none yet.
create table questionnaire_questions (
  id integer generated always as identity primary key,
  type_id integer references questionnaire_types,
  -- The question of the bank from which it was copied, and which version of it.
  from_id integer references questionnaire_questions,
  from_revision integer check (from_revision > 0),
  section text,
  section_local text,
  question text not null,
  question_local text not null,
  question_de text,
  question_fr text,
  question_pt text,
  kind text not null check (kind in ('rating', 'single', 'several', 'grid', 'number', 'text', 'ranking')),
  points smallint check (points between 2 and 11),
  minimum integer,
  maximum integer,
  required boolean not null default false,
  condition_id integer references questionnaire_questions,
  condition_is text check (condition_is in ('below', 'above', 'equal')),
  condition_value integer,
  position smallint not null default 1 check (position > 0),
  -- Counted by a trigger: which version of the question it is.
  revision integer not null default 1 check (revision > 0),
  search_text text generated always as (fold_text(question || ' ' || question_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint question_points check ((points is not null) = (kind in ('rating', 'grid'))),
  constraint question_range check (kind = 'number' or num_nonnulls(minimum, maximum) = 0),
  constraint question_range_order check (minimum <= maximum),
  constraint question_condition check (num_nonnulls(condition_id, condition_is, condition_value) in (0, 3)),
  constraint question_of_itself check (condition_id <> id),
  constraint question_copied check ((from_id is null) = (from_revision is null))
);
create index questionnaire_questions_type on questionnaire_questions (type_id, position);
create index questionnaire_questions_from on questionnaire_questions (from_id);
create index questionnaire_questions_condition on questionnaire_questions (condition_id);
select audit_table('questionnaire_questions', '{revision}');
install function count_question_revision;
create trigger revision before update on questionnaire_questions for each row execute function count_question_revision();

create table questionnaire_options (
  id integer generated always as identity primary key,
  question_id integer not null references questionnaire_questions on delete cascade,
  position smallint not null,
  name text not null,
  name_local text not null,
  constraint question_option_twice unique (question_id, name) deferrable
);
select audit_rows('questionnaire_options', 'question_id');
create table questionnaire_grid_rows (
  id integer generated always as identity primary key,
  question_id integer not null references questionnaire_questions on delete cascade,
  position smallint not null,
  name text not null,
  name_local text not null,
  constraint question_row_twice unique (question_id, name) deferrable
);
select audit_rows('questionnaire_grid_rows', 'question_id');

create table questionnaires (
  id integer generated always as identity primary key,
  type_id integer not null references questionnaire_types,
  term_id integer references terms,
  faculty_id integer references faculties,
  program_id integer references programs,
  opens_on date not null,
  closes_on date not null,
  -- Whoever is asked is led to it after signing in, and may put it off so many times.
  obligatory boolean not null default false,
  postponements smallint not null default 0 check (postponements between 0 and 20),
  -- So many days before it closes, and every so many days until then, those who have not answered are reminded; null: nobody is.
  remind_days smallint check (remind_days between 1 and 60),
  reminded_on date,
  status text not null default 'planned' check (status in ('planned', 'open', 'paused', 'closed')),
  -- The questions as they were when it was opened.
  form jsonb check (jsonb_typeof(form) = 'array'),
  -- Since when every set of it is counted, and the key to its envelopes is gone.
  counted_on date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint questionnaire_days check (opens_on <= closes_on),
  constraint questionnaire_form check ((form is null) = (status = 'planned')),
  constraint questionnaire_counted check (counted_on is null or status = 'closed')
);
create index questionnaires_type on questionnaires (type_id);
create index questionnaires_term on questionnaires (term_id);
create index questionnaires_faculty on questionnaires (faculty_id);
create index questionnaires_program on questionnaires (program_id);
create index questionnaires_status on questionnaires (status, closes_on) where removed_at is null;
select audit_table('questionnaires', '{form,reminded_on}');
install function guard_questionnaire;
create trigger kept before update on questionnaires for each row execute function guard_questionnaire();

-- What is answered about: an offering, an instructor of an offering, or everything. `pooled`: the small sets of the questionnaire together.
create table questionnaire_sets (
  id integer generated always as identity primary key,
  questionnaire_id integer not null references questionnaires,
  offering_id integer references offerings,
  instructor_id integer references instructors,
  pooled boolean not null default false,
  -- As it was when it was counted; null: it is not counted yet.
  asked integer check (asked >= 0),
  answered integer check (answered >= 0),
  -- Fewer than five answered: nothing is kept of it by itself.
  small boolean not null default false,
  constraint questionnaire_sets_once unique nulls not distinct (questionnaire_id, offering_id, instructor_id, pooled),
  constraint questionnaire_sets_about check (offering_id is not null or instructor_id is null),
  constraint questionnaire_sets_pool check (not pooled or offering_id is null),
  constraint questionnaire_sets_counted check (num_nonnulls(asked, answered) <> 1)
);
create index questionnaire_sets_offering on questionnaire_sets (offering_id);
create index questionnaire_sets_instructor on questionnaire_sets (instructor_id);

-- Who answered, and on which day: so that nobody answers twice, and who did not is reminded. Gone when the set is counted.
create table questionnaire_participations (
  set_id integer not null references questionnaire_sets,
  user_id integer not null references users,
  day date not null default university_today(),
  primary key (set_id, user_id)
);
create index questionnaire_participations_user on questionnaire_participations (user_id);

-- Answers in sealed envelopes of one length. No number, no time, no key: nothing by which one could be told from another.
create table questionnaire_ballots (
  set_id integer not null references questionnaire_sets,
  sealed bytea not null
);
create index questionnaire_ballots_set on questionnaire_ballots (set_id);
install function guard_questionnaire_answer;
create trigger while_open before insert on questionnaire_participations for each row execute function guard_questionnaire_answer();
create trigger while_open before insert on questionnaire_ballots for each row execute function guard_questionnaire_answer();

-- For whom the envelopes of a questionnaire are sealed. Gone when it is counted.
create table questionnaire_keys (
  questionnaire_id integer primary key references questionnaires,
  public_key bytea not null,
  private_key bytea not null
);

-- How often each answer was given: to one question (`part` 0), or one row of it. Never of fewer than five, whoever writes.
create table questionnaire_figures (
  set_id integer not null references questionnaire_sets,
  question text not null,
  part smallint not null check (part >= 0),
  n integer not null constraint questionnaire_figure_small check (n >= 5),
  -- By answer; null: everybody who was asked said the same.
  counts jsonb check (jsonb_typeof(counts) = 'object'),
  primary key (set_id, question, part)
);
install function refuse_questionnaire_figure_change;
create trigger kept before update or delete on questionnaire_figures for each row execute function refuse_questionnaire_figure_change();

-- Comments, in the order of the alphabet under keys of chance.
create table questionnaire_comments (
  id uuid primary key default gen_random_uuid(),
  set_id integer not null references questionnaire_sets,
  question text not null,
  -- As it was written until somebody has masked the names in it; then as it is shown.
  text text not null,
  state text not null default 'waiting' check (state in ('waiting', 'shown', 'withheld')),
  search_text text generated always as (fold_text(text)) stored
);
create index questionnaire_comments_set on questionnaire_comments (set_id, question);

-- How often a person put off an obligatory questionnaire.
create table questionnaire_postponements (
  questionnaire_id integer not null references questionnaires,
  user_id integer not null references users,
  times smallint not null check (times > 0),
  day date not null,
  primary key (questionnaire_id, user_id)
);
create index questionnaire_postponements_user on questionnaire_postponements (user_id);
