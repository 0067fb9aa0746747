-- What proving the ledger said, each time: when, for whom, how much was looked at, and what was found.
create table ledger_proofs (
  id integer generated always as identity primary key,
  proven_at timestamptz not null default now(),
  -- Null: by itself, at night.
  proven_by integer references users,
  seconds numeric(8, 2) not null check (seconds >= 0),
  entries bigint not null,
  postings bigint not null,
  totals jsonb not null,
  -- The first of as many as `count` says.
  count integer not null check (count >= 0),
  findings jsonb not null default '[]'
);
create index ledger_proofs_by on ledger_proofs (proven_by);
