-- The files of the last imports from other systems: what a delta is laid over. One of an import that was taken back is none.
create table roster_bundles (
  id integer generated always as identity primary key,
  source text not null check (length(source) between 1 and 255),
  -- null: the import changed nothing.
  operation_id integer references operations on delete set null,
  -- The files as a ZIP, corrected, with what is read of them.
  zip bytea not null,
  imported_at timestamptz not null default now()
);
create index roster_bundles_source on roster_bundles (source, id desc);
create index roster_bundles_operation on roster_bundles (operation_id) where operation_id is not null;
