-- Files of banks: what each says line by line, what of it is whose, and what was booked of it.

-- How the tables of a bank are written: which column is what. Remembered from the last one that was read.
create table bank_formats (
  id integer primary key references banks on delete cascade,
  format jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select audit_table('bank_formats');

create table batches (
  id integer generated always as identity primary key,
  number text not null unique,
  bank_id integer not null references banks,
  file_id integer not null references files,
  file_name text not null,
  -- Of its content: the same file is known under another name, too.
  hash text not null,
  format text check (format in ('csv', 'xlsx', 'camt', 'mt940')),
  status text not null default 'reading' check (status in ('reading', 'columns', 'failed', 'previewed', 'saved', 'deleted')),
  -- Which columns nobody has said yet, with the headings; and how it was read.
  asks jsonb,
  table_format jsonb,
  -- What is told of the file as a whole, and of lines that stop nothing.
  notes jsonb not null default '[]',
  -- Why it could not be read.
  problem jsonb,
  statements jsonb not null default '[]',
  search_text text generated always as (fold_text(number || ' ' || file_name)) stored,
  version integer not null default 1,
  -- As every record with steps has it; a batch that was deleted stays, with its state.
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index batches_bank on batches (bank_id, id desc);
create index batches_file on batches (file_id);
create index batches_hash on batches (hash);
create index batches_search on batches using gin (search_text gin_trgm_ops);
select audit_table('batches', array['asks', 'table_format', 'notes', 'statements', 'status']);

create table batch_lines (
  id integer generated always as identity primary key,
  batch_id integer not null references batches on delete cascade,
  bank_id integer not null references banks,
  line integer not null,
  part integer not null default 0,
  booked_on date,
  value_on date,
  amount bigint not null check (amount >= 0),
  currency text,
  direction text not null check (direction in ('in', 'out')),
  reference text,
  counterparty text,
  iban text,
  description text,
  bank_reference text,
  -- Whose it is: known, one may be it, nobody is known, in an earlier file already, not to be booked, not to be read.
  state text not null check (state in ('matched', 'proposed', 'unmatched', 'duplicate', 'not_booked', 'wrong')),
  why jsonb,
  match_by text check (match_by in ('invoice', 'student', 'slip', 'person')),
  payer_id integer references payers,
  invoice_id integer references invoices,
  proposals jsonb not null default '[]',
  -- By which it is known again in another file, with its place among lines that are alike.
  fingerprint text not null,
  ordinal integer not null default 1,
  duplicate_of integer references batch_lines on delete set null,
  -- Counts among what the bank has said: of a saved file, and not of one that was deleted.
  live boolean not null default false,
  transaction_id integer references transactions,
  -- In the ledger without a payer: what is not explained yet.
  entry_id bigint references ledger_entries,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint batch_line_matched check ((state = 'matched') <= (payer_id is not null and match_by is not null)),
  constraint batch_line_readable check (state = 'wrong' or booked_on is not null or not live)
);
create index batch_lines_batch on batch_lines (batch_id, state, line, part);
create index batch_lines_day on batch_lines (bank_id, booked_on) where live;
create index batch_lines_open on batch_lines (bank_id, id) where live and entry_id is not null and transaction_id is null;
create index batch_lines_payer on batch_lines (payer_id) where payer_id is not null;
create index batch_lines_invoice on batch_lines (invoice_id) where invoice_id is not null;
create index batch_lines_duplicate on batch_lines (duplicate_of) where duplicate_of is not null;
create index batch_lines_transaction on batch_lines (transaction_id) where transaction_id is not null;
create index batch_lines_entry on batch_lines (entry_id) where entry_id is not null;
create index batch_lines_iban on batch_lines (iban) where live and transaction_id is not null;
-- What the bank said once counts once, whoever saves and in however many files.
create unique index batch_line_twice on batch_lines (bank_id, fingerprint, ordinal) where live;

-- What a person says of a line is kept in the audit trail; what is read and booked of tens of thousands at once stands in the
-- transactions and entries that it makes.
create trigger audit_update after update on batch_lines referencing old table as old_rows new table as new_rows
  for each statement when (coalesce(current_setting('ems.booking_lines', true), '') = '') execute function audit_change('{batch_id,id}', '{version,updated_at,created_at,proposals,transaction_id,entry_id,live}');
create trigger touch before update on batch_lines for each row execute function touch_version();

-- Money of a saved line that comes in is booked: to a payer or as unexplained.
create function check_live_line() returns trigger language plpgsql as $$
begin
  if exists (select from batch_lines l where l.id = new.id and l.live and l.direction = 'in' and l.state in ('matched', 'proposed', 'unmatched')
      and l.transaction_id is null and l.entry_id is null) then
    raise exception 'A line that counts is booked' using errcode = 'check_violation', constraint = 'batch_line_not_booked';
  end if;
  return null;
end $$;
create constraint trigger booked after insert or update of live, transaction_id, entry_id on batch_lines deferrable initially deferred
  for each row when (new.live) execute function check_live_line();
