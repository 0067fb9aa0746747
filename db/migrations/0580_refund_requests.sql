-- Refunds that another person approves, and refunds that a provider leaves unanswered.

-- What shall go back and is above what one person may give back: asked, approved by another one, paid out. What is asked for is
-- kept from going back, or being spent, by another way.
create table refund_requests (
  id integer generated always as identity primary key,
  number text not null generated always as ('RF-' || lpad(id::text, greatest(length(id::text), 6), '0')) stored unique,
  payer_id integer not null references payers,
  -- Back the way it came, out of a payment in cash, out of the wallet.
  kind text not null check (kind in ('refund', 'direct_cash_back', 'cash_back')),
  payment_id integer references transactions,
  way text not null check (way in ('cash', 'slip', 'bank', 'card', 'mobile', 'wallet')),
  currency text not null references currencies (code),
  amount bigint not null check (amount > 0),
  -- What of it lies in the wallet, and stays there until it is paid out.
  from_wallet bigint not null default 0,
  reason text not null,
  status text not null default 'asked' check (status in ('asked', 'approved', 'paid_out', 'rejected', 'withdrawn')),
  asked_by integer not null references users,
  decided_by integer references users,
  decided_at timestamptz,
  decision_reason text,
  -- By what it was paid out.
  transaction_id integer references transactions,
  search_text text generated always as (fold_text(lpad(id::text, greatest(length(id::text), 6), '0') || ' ' || reason)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint refund_of_payment check ((payment_id is null) = (kind = 'cash_back')),
  constraint refund_request_wallet check (from_wallet between 0 and amount),
  constraint refund_own_request check (decided_by <> asked_by),
  constraint refund_request_decided check ((status in ('approved', 'paid_out', 'rejected')) = (decided_by is not null and decided_at is not null)),
  constraint refund_request_rejected check (status <> 'rejected' or decision_reason is not null)
);
create index refund_requests_open on refund_requests (payer_id, currency) where status in ('asked', 'approved');
create index refund_requests_payment on refund_requests (payment_id) where status in ('asked', 'approved');
create index refund_requests_payment_all on refund_requests (payment_id);
create index refund_requests_payer on refund_requests (payer_id);
create index refund_requests_transaction on refund_requests (transaction_id);
create index refund_requests_asked_by on refund_requests (asked_by);
create index refund_requests_decided_by on refund_requests (decided_by);
create index refund_requests_currency on refund_requests (currency);
select audit_table('refund_requests');

-- What of a wallet is asked for and not paid out yet.
create function refund_reserved(of_payer integer, of_currency text) returns bigint language sql stable as $$
  select coalesce(sum(q.from_wallet), 0)::bigint from refund_requests q
  where q.payer_id = of_payer and q.currency = of_currency and q.status in ('asked', 'approved')
$$;
create function keep_reserved_wallet() returns trigger language plpgsql as $$
declare
  reserved bigint := refund_reserved(new.payer_id, new.currency);
begin
  if reserved > 0 and new.wallet < reserved then
    raise exception 'A part of the wallet is asked back' using errcode = 'check_violation', constraint = 'wallet_reserved';
  end if;
  return new;
end $$;
create trigger keep_reserved before update on payer_balances for each row when (new.wallet < old.wallet) execute function keep_reserved_wallet();

-- Who asks holds the payer, so that two who ask at once come one after the other; what stands is never more than there is.
create function check_refund_request() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held bigint;
  gone bigint;
begin
  if tg_op = 'UPDATE' then
    if (new.payer_id, new.kind, new.payment_id, new.currency, new.amount, new.asked_by)
        is distinct from (old.payer_id, old.kind, old.payment_id, old.currency, old.amount, old.asked_by) then
      raise exception 'What was asked stays as it was asked' using errcode = 'check_violation', constraint = 'refund_request_stays';
    end if;
    if old.status in ('paid_out', 'rejected', 'withdrawn') and new.status <> old.status
        or old.status = 'approved' and new.status = 'asked' or old.status = 'asked' and new.status = 'paid_out' then
      raise exception 'A refund goes from asked to approved to paid out' using errcode = 'check_violation', constraint = 'refund_request_ended';
    end if;
  end if;
  if new.status not in ('asked', 'approved') then
    return new;
  end if;
  perform from payers where id = new.payer_id for no key update;
  if new.from_wallet > 0 then
    select b.wallet into held from payer_balances b where b.payer_id = new.payer_id and b.currency = new.currency for no key update;
    if coalesce(held, 0) < new.from_wallet + (select coalesce(sum(q.from_wallet), 0) from refund_requests q where q.payer_id = new.payer_id
        and q.currency = new.currency and q.status in ('asked', 'approved') and q.id <> new.id) then
      raise exception 'The wallet does not hold so much' using errcode = 'check_violation', constraint = 'wallet_reserved';
    end if;
  end if;
  if new.payment_id is not null then
    select t.amount - coalesce((select sum(r.amount) from transactions r where r.refund_of = t.id and r.status in ('new', 'pending', 'paid')), 0)
        - coalesce((select sum(q.amount) from refund_requests q where q.payment_id = t.id and q.status in ('asked', 'approved') and q.id <> new.id), 0)
      into gone from transactions t where t.id = new.payment_id;
    if new.amount > gone then
      raise exception 'More than was paid' using errcode = 'check_violation', constraint = 'refund_beyond_payment';
    end if;
  end if;
  return new;
end $$;
create trigger check_request before insert or update on refund_requests for each row execute function check_refund_request();

-- What is paid out says by which transaction, at the latest when all is written.
create function check_paid_request() returns trigger language plpgsql as $$
begin
  if exists (select from refund_requests q where q.id = new.id and q.status = 'paid_out' and q.transaction_id is null) then
    raise exception 'What is paid out has its transaction' using errcode = 'check_violation', constraint = 'refund_request_paid';
  end if;
  return null;
end $$;
create constraint trigger check_paid after insert or update on refund_requests deferrable initially deferred
  for each row when (new.status = 'paid_out') execute function check_paid_request();

-- Never more goes back than was paid, together with what is asked back; and what is asked back is not cancelled.
create function check_refund() returns trigger language plpgsql as $$
declare
  gone bigint;
begin
  if tg_op = 'UPDATE' then
    if exists (select from refund_requests q where q.payment_id = new.id and q.status in ('asked', 'approved')) then
      raise exception 'A part of it is asked back' using errcode = 'check_violation', constraint = 'cancel_asked_back';
    end if;
    return new;
  end if;
  perform from payers where id = new.payer_id for no key update;
  select t.amount - coalesce((select sum(r.amount) from transactions r where r.refund_of = t.id and r.status in ('new', 'pending', 'paid')), 0)
      - coalesce((select sum(q.amount) from refund_requests q where q.payment_id = t.id and q.status in ('asked', 'approved')), 0)
    into gone from transactions t where t.id = new.refund_of;
  if new.amount > gone then
    raise exception 'More than was paid' using errcode = 'check_violation', constraint = 'refund_beyond_payment';
  end if;
  return new;
end $$;
create trigger check_refund before insert on transactions for each row
  when (new.refund_of is not null and new.status in ('new', 'pending', 'paid')) execute function check_refund();
create trigger check_asked_back before update on transactions for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled') execute function check_refund();

-- A refund that a provider was asked for is booked and waits for its answer; when it is asked next stands here.
alter table provider_refunds
  add column reason text not null default '',
  add column checks integer not null default 0,
  add column next_check_at timestamptz,
  -- Where the provider cannot say: a person who looked there.
  add column decided_by integer references users,
  add column decision_reason text,
  add column version integer not null default 1;
create index provider_refunds_checks on provider_refunds (next_check_at) where status = 'asked';
create index provider_refunds_decided_by on provider_refunds (decided_by);
-- Until now one that was not answered was taken back here: what it became is told by the provider, and waits for a person.
update provider_refunds r set status = 'refused', answered_at = coalesce(answered_at, now()) from transactions t
  where t.id = r.refund_id and r.status = 'asked' and t.status in ('cancelled', 'rejected');
create unique index refund_not_answered on provider_refunds (payment_id) where status = 'asked';
