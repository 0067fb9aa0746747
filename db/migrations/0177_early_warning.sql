-- Early warning: what of a student's term stands out, by rules of the university, so that somebody offers help in time.
select create_lookup('early_warning_rules');
alter table early_warning_rules
  add column kind text not null check (kind in ('attendance_low', 'attendance_fell', 'marks_low', 'gpa_low', 'gpa_fell', 'failed',
    'hours_behind', 'not_registered', 'unpaid', 'warned', 'model')),
  add column threshold numeric(6, 2) not null check (threshold between 0 and 1000),
  add column points smallint not null check (points between 1 and 10),
  add column is_active boolean not null default true;

-- Models that were fitted to the university's own past. What they know of students is figures of columns, and no person.
create table risk_models (
  id integer generated always as identity primary key,
  fitted_at timestamptz not null default now(),
  fitted_by integer references users on delete set null,
  -- Terms and rows it was fitted to, and how many of the rows had a hard term.
  term_ids integer[] not null check (cardinality(term_ids) > 0),
  rows integer not null check (rows > 0),
  hard integer not null check (hard between 0 and rows),
  model jsonb not null,
  -- How right it is on students it had not seen: of all, and by faculty, gender and nationality.
  report jsonb not null,
  groups jsonb not null,
  is_used boolean not null default false
);
create unique index risk_model_used on risk_models (is_used) where is_used;
create index risk_models_fitted_by on risk_models (fitted_by);
select audit_table('risk_models', array['model', 'report', 'groups']);

-- A risk of a student, with what it stands on. It ends when other rules speak, or none; what was is kept.
create table student_risks (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  term_id integer not null references terms,
  level text not null check (level in ('high', 'watch')),
  points smallint not null check (points > 0),
  -- The model's word, where one is used: how many of a hundred like this one have a hard term.
  probability numeric(5, 4) check (probability between 0 and 1),
  risk_model_id integer references risk_models,
  -- [{code, data, points}], what weighs most first; and the figures they come from.
  reasons jsonb not null check (jsonb_typeof(reasons) = 'array' and jsonb_array_length(reasons) > 0),
  facts jsonb not null,
  -- What a student may be told: without results that are not out.
  own_level text check (own_level in ('high', 'watch')),
  own_reasons jsonb not null default '[]' check (jsonb_typeof(own_reasons) = 'array'),
  began_at timestamptz not null default now(),
  counted_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint student_risk_model check ((probability is null) = (risk_model_id is null)),
  constraint student_risk_days check (counted_at >= began_at and ended_at >= began_at)
);
-- One stands at a time, whoever counts.
create unique index student_risk_stands on student_risks (student_id) where ended_at is null;
create index student_risks_student on student_risks (student_id, began_at desc);
create index student_risks_order on student_risks (points desc, probability desc nulls last, id) where ended_at is null;
create index student_risks_term on student_risks (term_id);
create index student_risks_model on student_risks (risk_model_id);

-- Somebody spoke with a student, and what came of it.
create table risk_contacts (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  -- The risk that stood then.
  risk_id integer references student_risks on delete set null,
  on_date date not null,
  way text not null check (way in ('meeting', 'phone', 'message', 'mail')),
  said text not null check (char_length(said) between 1 and 2000),
  outcome text not null default 'open' check (outcome in ('open', 'helped', 'referred', 'declined', 'not_reached')),
  outcome_note text check (char_length(outcome_note) between 1 and 1000),
  again_on date,
  created_by integer references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint risk_contact_again check (again_on > on_date)
);
create index risk_contacts_student on risk_contacts (student_id, on_date desc);
create index risk_contacts_risk on risk_contacts (risk_id);
create index risk_contacts_created_by on risk_contacts (created_by);
select audit_table('risk_contacts');
