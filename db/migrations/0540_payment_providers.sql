-- Payments by providers: what was asked of them, what they said, and what became of it.

-- A transaction asked of a provider: once, or again when the payer comes back after it ended there. Our reference is here
-- before the provider hears of it.
create table provider_charges (
  id integer generated always as identity primary key,
  transaction_id integer not null references transactions,
  provider text not null check (provider in ('fawry', 'paymob')),
  reference text not null,
  -- The order there, and how it is paid: by a number, or at an address.
  order_number text,
  number text,
  link text,
  expires_at timestamptz not null,
  answered_at timestamptz,
  -- When the provider is asked what became of it; null: not any more.
  next_check_at timestamptz,
  checks integer not null default 0,
  checked_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint provider_charges_reference unique (reference),
  constraint provider_charges_order unique (provider, order_number)
);
create index provider_charges_transaction on provider_charges (transaction_id, id desc);
create index provider_charges_checks on provider_charges (next_check_at) where next_check_at is not null;

-- Callbacks as they came: bytes, and headers that tell nothing secret. The same bytes stand here once.
create table provider_callbacks (
  id bigint generated always as identity primary key,
  provider text not null check (provider in ('fawry', 'paymob')),
  query text not null,
  headers jsonb not null,
  body bytea not null check (octet_length(body) <= 65536),
  hash bytea not null,
  ip inet,
  received_at timestamptz not null default now(),
  constraint provider_callback_twice unique (provider, hash)
);
create function refuse_callback_change() returns trigger language plpgsql as $$
begin
  raise exception 'What a provider sent is kept as it came' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on provider_callbacks for each row execute function refuse_callback_change();
create trigger append_only_truncate before truncate on provider_callbacks for each statement execute function refuse_callback_change();

-- What a callback, or an answer to our question, said, and what became of it. Without a verdict it waits.
create table provider_events (
  id bigint generated always as identity primary key,
  callback_id bigint unique references provider_callbacks,
  provider text not null check (provider in ('fawry', 'paymob')),
  verdict text check (verdict in ('booked', 'booked_late', 'recorded', 'repeated', 'outdated', 'forged', 'other', 'unknown', 'differs',
    'again', 'ended', 'refunded')),
  -- How often the same bytes came.
  times integer not null default 1,
  last_at timestamptz not null default now(),
  tries integer not null default 0,
  not_before timestamptz not null default now(),
  error text,
  charge_id integer references provider_charges,
  event_id text,
  reference text,
  order_number text,
  payment text,
  status text check (status in ('waiting', 'paid', 'failed', 'expired', 'refunded')),
  amount bigint,
  currency text,
  fee bigint,
  judged_at timestamptz,
  -- What was booked by it, and by whom it was decided where the program does not.
  transaction_id integer references transactions,
  decision text check (decision in ('book', 'close')),
  decided_by integer references users,
  decided_at timestamptz,
  reason text,
  version integer not null default 1,
  constraint provider_event_judged check ((verdict is null) = (judged_at is null)),
  constraint provider_event_decided check ((decision is null) = (decided_at is null) and (decision is null) = (reason is null)),
  constraint provider_event_booked check (transaction_id is null or status = 'paid')
);
create index provider_events_waiting on provider_events (not_before, id) where verdict is null;
create index provider_events_newest on provider_events (last_at desc, id desc);
create index provider_events_open on provider_events (id) where verdict in ('unknown', 'differs', 'again', 'ended', 'refunded') and decision is null;
create index provider_events_forged on provider_events (last_at) where verdict = 'forged';
create index provider_events_charge on provider_events (charge_id);
create index provider_events_transaction on provider_events (transaction_id);
create index provider_events_decided_by on provider_events (decided_by);

-- Refunds asked of a provider, here before it hears of them: whether one happened that was not answered is for a person to find out.
create table provider_refunds (
  id integer generated always as identity primary key,
  provider text not null check (provider in ('fawry', 'paymob')),
  -- The transaction that is paid back, and the one by which it is.
  payment_id integer not null references transactions,
  refund_id integer not null references transactions,
  amount bigint not null check (amount > 0),
  status text not null default 'asked' check (status in ('asked', 'done', 'refused')),
  reference text,
  error text,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  constraint provider_refunds_refund unique (refund_id)
);
create index provider_refunds_payment on provider_refunds (payment_id);
