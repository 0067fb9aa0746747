-- A promise to pay, as staff noted it: of an invoice, or of what a payer owes. While it stands nobody is reminded of it.

install function keep_promise;

create table payment_promises (
  id integer generated always as identity primary key,
  payer_id integer not null references payers,
  -- null: of all that is owed in the currency.
  invoice_id integer references invoices,
  currency text not null references currencies (code),
  amount bigint not null check (amount > 0),
  promised_on date not null,
  note text check (length(note) between 1 and 500),
  state text not null default 'standing' check (state in ('standing', 'kept', 'broken', 'withdrawn')),
  -- What was settled when it was noted: what comes after counts.
  settled_before bigint not null check (settled_before >= 0),
  noted_by integer references users,
  ended_at timestamptz,
  ended_by integer references users,
  ended_reason text check (length(ended_reason) between 1 and 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint promise_ended check ((state = 'standing') = (ended_at is null))
);
-- One stands at a time.
create unique index promise_standing on payment_promises (payer_id, currency, coalesce(invoice_id, 0)) where state = 'standing';
create index payment_promises_invoice on payment_promises (invoice_id);
create index payment_promises_currency on payment_promises (currency);
create index payment_promises_noted_by on payment_promises (noted_by);
create index payment_promises_ended_by on payment_promises (ended_by);
select audit_table('payment_promises', array['settled_before']);
create trigger keep_promise before update or delete on payment_promises for each row execute function keep_promise();
