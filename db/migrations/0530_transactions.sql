-- Transactions: money that came from payers, or went back to them.

create table cash_shifts (
  id integer generated always as identity primary key,
  number text not null unique,
  cashier_id integer not null references users,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  note text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index cash_shift_open on cash_shifts (cashier_id) where closed_at is null;
create index cash_shifts_cashier on cash_shifts (cashier_id, opened_at desc);
select audit_table('cash_shifts');
-- What lay in the drawer in each currency when it was opened, and what was counted at the end.
create table cash_counts (
  id integer generated always as identity primary key,
  shift_id integer not null references cash_shifts,
  currency text not null references currencies (code),
  opening bigint not null default 0 check (opening >= 0),
  counted bigint check (counted >= 0),
  expected bigint,
  entry_id bigint references ledger_entries,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint cash_counts_currency unique (shift_id, currency)
);
create index cash_counts_entry on cash_counts (entry_id);
select audit_rows('cash_counts', 'shift_id');

create table transactions (
  id integer generated always as identity primary key,
  number text not null generated always as ('T-' || lpad(id::text, greatest(length(id::text), 7), '0')) stored unique,
  -- Of what was paid or paid out at a cashier's: without gaps.
  receipt text unique,
  payer_id integer not null references payers,
  direction text not null default 'in' check (direction in ('in', 'out')),
  -- How: in cash, by a slip that was uploaded, by a statement of the bank, by a provider's card or reference number, from the wallet.
  way text not null check (way in ('cash', 'slip', 'bank', 'card', 'mobile', 'wallet')),
  -- What for: settling invoices, charging the wallet, back as it was paid, out of the wallet, out of a payment.
  purpose text not null default 'payment' check (purpose in ('payment', 'charge', 'refund', 'cash_back', 'direct_cash_back')),
  currency text not null references currencies (code),
  amount bigint not null check (amount > 0),
  status text not null default 'new' check (status in ('new', 'pending', 'paid', 'failed', 'expired', 'rejected', 'cancelled')),
  -- Who takes it for us, and what it is called there; `reference` is ours, known before they are asked.
  provider text,
  provider_reference text,
  reference text unique,
  expires_at timestamptz,
  invoice_id integer references invoices,
  installment_id integer references installments on delete set null,
  bank_id integer references banks,
  file_id integer,
  shift_id integer references cash_shifts,
  refund_of integer references transactions,
  booked_on date,
  paid_at timestamptz,
  entry_id bigint references ledger_entries,
  reason text,
  note text,
  decided_by integer references users,
  created_by integer references users,
  search_text text generated always as (fold_text(lpad(id::text, greatest(length(id::text), 7), '0') || ' ' || coalesce(receipt, '') || ' ' || coalesce(reference, '') || ' ' || coalesce(provider_reference, ''))) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint transaction_booked check ((status = 'paid') <= (entry_id is not null and booked_on is not null and paid_at is not null)),
  constraint transaction_cash check (way <> 'cash' or status <> 'paid' or (shift_id is not null and receipt is not null)),
  constraint transaction_refund check ((refund_of is not null) <= (direction = 'out'))
);
create unique index transaction_provider_twice on transactions (provider, provider_reference);
create index transactions_payer on transactions (payer_id, id desc);
create index transactions_paid on transactions (booked_on desc, id desc);
create index transactions_waiting on transactions (status, id) where status in ('new', 'pending');
create index transactions_invoice on transactions (invoice_id);
create index transactions_installment on transactions (installment_id);
create index transactions_bank on transactions (bank_id);
create index transactions_shift on transactions (shift_id);
create index transactions_refund_of on transactions (refund_of);
create index transactions_entry on transactions (entry_id);
create index transactions_currency on transactions (currency);
create index transactions_search on transactions using gin (search_text gin_trgm_ops);
select audit_table('transactions');

-- What a transaction settled of an invoice; a refund takes back, so it is negative. What is in none is in the wallet.
create table transaction_allocations (
  id integer generated always as identity primary key,
  transaction_id integer not null references transactions,
  invoice_id integer not null references invoices,
  amount bigint not null check (amount <> 0),
  constraint allocation_twice unique (transaction_id, invoice_id)
);
create index transaction_allocations_invoice on transaction_allocations (invoice_id);
select audit_rows('transaction_allocations', 'transaction_id');

-- What was booked stays: only who looked at it and why it was cancelled is written later.
create function keep_booked_transaction() returns trigger language plpgsql as $$
begin
  if old.entry_id is not null and (new.payer_id, new.direction, new.way, new.currency, new.amount, new.entry_id, new.booked_on)
      is distinct from (old.payer_id, old.direction, old.way, old.currency, old.amount, old.entry_id, old.booked_on) then
    raise exception 'A booked transaction is not changed' using errcode = 'check_violation', constraint = 'transaction_booked_stays';
  end if;
  if old.status in ('paid', 'cancelled', 'rejected') and new.status <> old.status and not (old.status = 'paid' and new.status = 'cancelled') then
    raise exception 'A transaction that ended does not begin again' using errcode = 'check_violation', constraint = 'transaction_ended';
  end if;
  return new;
end $$;
create trigger keep_booked before update on transactions for each row execute function keep_booked_transaction();
