-- Receipts as the tax authority of Egypt takes them: one of each payment, one back of what goes back, in a chain for each device.

create table tax_devices (
  serial text primary key check (length(serial) between 1 and 100),
  -- The last receipt that was made on it: whoever makes one holds this row.
  head_uuid text check (head_uuid ~ '^[0-9a-f]{64}$'),
  -- Payments of before are nobody's receipt.
  began_at timestamptz not null default now()
);

create table tax_receipts (
  id integer generated always as identity primary key,
  -- A payment, or a refund.
  transaction_id integer not null references transactions,
  -- Sold, or taken back.
  kind text not null check (kind in ('S', 'R')),
  -- Of what is taken back: the receipt that it names.
  reference_id integer references tax_receipts,
  device text not null references tax_devices,
  number text not null unique,
  uuid text not null unique check (uuid ~ '^[0-9a-f]{64}$'),
  previous_uuid text not null check (previous_uuid ~ '^([0-9a-f]{64})?$'),
  -- By which it was known when it was rejected, the first time first.
  old_uuids text[] not null default '{}',
  -- What is paid for, as the document tells it; and the document, letter for letter as it is sent.
  lines jsonb not null,
  document text not null,
  issued_at timestamptz not null,
  state text not null default 'to_send' check (state in ('to_send', 'sent', 'valid', 'rejected')),
  -- What the authority says against it; null where it does not.
  reasons jsonb,
  -- What went wrong when it was sent last: it is sent again by itself.
  trouble text check (length(trouble) between 1 and 300),
  tries smallint not null default 0,
  next_try_at timestamptz not null default now(),
  submission text,
  sent_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tax_receipt_once unique (transaction_id, kind),
  constraint tax_receipt_reference check ((kind = 'R') = (reference_id is not null)),
  constraint tax_receipt_rejected check ((state = 'rejected') = (reasons is not null)),
  constraint tax_receipt_sent check ((state in ('sent', 'valid')) <= (sent_at is not null))
);
create index tax_receipts_due on tax_receipts (next_try_at) where state in ('to_send', 'sent');
create index tax_receipts_reference on tax_receipts (reference_id);
create index tax_receipts_device on tax_receipts (device);
create index tax_receipts_state on tax_receipts (state, id);
select audit_table('tax_receipts', array['lines', 'document', 'reasons', 'trouble', 'tries', 'next_try_at', 'submission', 'sent_at', 'previous_uuid',
  'old_uuids', 'device', 'reference_id', 'issued_at']);
install function keep_tax_receipt;
create trigger keep_tax_receipt before update or delete on tax_receipts for each row execute function keep_tax_receipt();
