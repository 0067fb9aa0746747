-- Distributions of applicants: each run keeps what it stood on, what it gave to whom, and its proof.

install function keep_distribution_place;

-- The lot of an admission is drawn once, so that two runs tell equals apart alike.
alter table admissions add column lot_seed text check (length(lot_seed) between 8 and 100);

create table distribution_runs (
  id integer generated always as identity primary key,
  code text not null,
  admission_id integer not null references admissions,
  status text not null default 'previewed' check (status in ('previewed', 'confirmed', 'discarded')),
  -- 1: the first of its admission that is confirmed, 2: with the seats that were not taken up.
  round smallint not null check (round between 1 and 100),
  applicants integer not null,
  assigned integer not null,
  first_preferences integer not null,
  programs integer not null,
  seats integer not null,
  blocking_pairs integer not null,
  -- SHA-256 of what it stood on, and of what it gave, as the page of the area describes.
  input_hash bytea not null,
  result_hash bytea not null,
  lot_seed text not null,
  -- Programs with their seats and limits, where they stood at the end, and what the proof looked at.
  terms jsonb not null,
  standings jsonb not null,
  proof jsonb not null,
  created_by integer references users,
  confirmed_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint distribution_runs_code_key unique (code),
  constraint distribution_confirmed check ((status = 'confirmed') = (confirmed_at is not null)),
  -- What is not proven is not kept.
  constraint distribution_proven check (blocking_pairs = 0)
);
select one_code_in_any_case('distribution_runs');
create index distribution_runs_admission on distribution_runs (admission_id, id);
create index distribution_runs_created_by on distribution_runs (created_by);
create unique index distribution_round_once on distribution_runs (admission_id, round) where status = 'confirmed';
select audit_table('distribution_runs', array['terms', 'standings', 'proof', 'input_hash', 'result_hash', 'lot_seed']);

-- One applicant in a run. `wishes`, `slots` and `ranks` stand beside each other.
create table distribution_places (
  run_id integer not null references distribution_runs on delete cascade,
  applicant_id integer not null references applicants,
  program_id integer references programs,
  -- From 1.
  preference smallint,
  -- Hundred-millionths of a percent.
  score bigint,
  wishes integer[] not null,
  slots integer[] not null,
  ranks integer[] not null,
  -- Why a program does not rank the applicant, by the place of the wish.
  reasons jsonb,
  primary key (run_id, applicant_id),
  constraint distribution_place_given check ((program_id is null) = (preference is null))
);
create index distribution_places_applicant on distribution_places (applicant_id);
create index distribution_places_program on distribution_places (run_id, program_id);
create index distribution_places_score on distribution_places (run_id, score desc nulls last);
create trigger keep_place before update on distribution_places for each row execute function keep_distribution_place();
