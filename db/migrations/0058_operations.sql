-- Operations: what was done to many records at once (an import, a change of hundreds) is one entry that can be taken back.

create table operations (
  id integer generated always as identity primary key,
  -- Names what the program knows about it: who may take it back, and what follows from that.
  kind text not null,
  -- Facts for its title: the name of the file, say.
  facts jsonb not null default '{}',
  counts jsonb not null default '{}',
  actor_id integer references users on delete set null,
  impersonator_id integer references users on delete set null,
  -- The time of its transaction, which its entries in the audit trail share.
  at timestamptz not null default now(),
  -- Until when it can be taken back.
  expires_at timestamptz not null default now() + interval '7 days',
  undone_at timestamptz,
  undone_by integer references users on delete set null,
  -- What was put back, and how much was left because somebody had changed it.
  undone jsonb,
  constraint operations_undone check ((undone_at is null) = (undone is null))
);
create index operations_actor_id_idx on operations (actor_id, id desc);
create index operations_kind_idx on operations (kind, id desc);
create index operations_impersonator_id_idx on operations (impersonator_id) where impersonator_id is not null;
create index operations_undone_by_idx on operations (undone_by) where undone_by is not null;

-- Which operation an entry of the trail belongs to: the transaction says so once, whichever trigger writes the entry.
-- Found by the time of the operation, which is indexed, so that nothing is paid by the other entries.
alter table audit_log add column operation_id integer;
alter table audit_log alter column operation_id set default nullif(current_setting('ems.operation', true), '')::integer;

-- Objects laid over each other in the order given: the later one wins.
create aggregate merge_objects(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}', parallel = safe);
