-- Who signs what, in which order: positions of a university and their holders, by chain.
create table signing_positions (
  id integer generated always as identity primary key,
  -- Name of the chain: what is signed, as its area calls it.
  chain text not null,
  position smallint not null constraint signing_positions_position check (position > 0),
  title text not null,
  title_local text not null,
  -- Who holds the position; null: nobody at present.
  user_id integer references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint signing_positions_key unique (chain, position)
);
create index signing_positions_user_id on signing_positions (user_id);
select audit_table('signing_positions');

-- Who has signed a record, at which position. A step back makes signatures void; they stay.
create table signatures (
  id integer generated always as identity primary key,
  workflow text not null,
  record_id integer not null,
  position_id integer not null references signing_positions,
  -- Who signed, and who really sat there.
  actor_id integer not null,
  impersonator_id integer,
  at timestamptz not null default now(),
  voided_at timestamptz
);
create unique index signatures_key on signatures (workflow, record_id, position_id) where voided_at is null;
create index signatures_position_id on signatures (position_id);
select audit_table('signatures');
