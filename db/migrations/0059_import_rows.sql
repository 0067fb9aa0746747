-- Rows of a sheet that was read and is not saved yet: each with what it would do, so that a row can be mended or left out
-- without sending the sheet again.
create table import_rows (
  import_id uuid not null references import_previews on delete cascade,
  -- Its line in the sheet, the header being 1.
  row integer not null,
  -- What the sheet says, by field: {type, text}.
  cells jsonb not null,
  -- By what the row is known within the sheet: no two may share it.
  key text,
  -- What saving it does: a new record, a change, nothing; or why it cannot: it is wrong, or left out.
  state text not null constraint import_rows_state check (state in ('created', 'changed', 'same', 'wrong', 'out')),
  record_id integer,
  -- The version of the record that the row was compared with, and that which the sheet was exported from.
  version integer,
  exported jsonb,
  -- Values to be written, by field.
  values jsonb not null default '{}',
  -- [{field, old, new}] as texts.
  changes jsonb not null default '[]',
  -- What people changed since the sheet was exported: [{field, sheet, now, by, at}]; `taken`: fields in which the sheet wins.
  meanwhile jsonb not null default '[]',
  taken jsonb not null default '[]',
  errors jsonb not null default '[]',
  primary key (import_id, row)
);
create index import_rows_key_idx on import_rows (import_id, key);
create index import_rows_state_idx on import_rows (import_id, state, row);
