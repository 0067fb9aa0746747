-- Plans to pay in parts: asked for by a student, decided by finance, kept or broken by themselves. While a plan runs the
-- instalments of the invoices that it covers are its parts, and nothing of them is late.

install function keep_plan, check_plan;

-- A plan may have more parts than an invoice is issued with, beside those that were paid before it.
alter table installments drop constraint installments_position_check,
  add constraint installments_position_check check (position between 1 and 40);
alter table installment_changes drop constraint installment_changes_kind_check,
  add constraint installment_changes_kind_check check (kind in ('due_date', 'split', 'edited', 'removed', 'note', 'reversed', 'plan'));

create table payment_plans (
  id integer generated always as identity primary key,
  payer_id integer not null references payers,
  -- null: of all that is owed in the currency.
  invoice_id integer references invoices,
  currency text not null references currencies (code),
  parts_asked smallint not null check (parts_asked between 1 and 12),
  first_day date not null,
  why text not null check (length(why) between 3 and 1000),
  state text not null default 'asked' check (state in ('asked', 'refused', 'withdrawn', 'running', 'kept', 'broken', 'ended')),
  -- Amounts and days as they were agreed. What they became since stands with the invoices.
  parts jsonb,
  asked_by integer references users,
  really_asked_by integer references users,
  decided_by integer references users,
  decided_at timestamptz,
  ended_at timestamptz,
  -- Why it was refused, or why it ended.
  reason text check (length(reason) between 1 and 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint plan_decided check ((state in ('asked', 'withdrawn')) = (decided_at is null)),
  constraint plan_agreed check ((state in ('asked', 'withdrawn', 'refused')) = (parts is null)),
  constraint plan_over check ((state in ('asked', 'running')) = (ended_at is null))
);
-- One waits at a time.
create unique index plan_asked on payment_plans (payer_id, currency, coalesce(invoice_id, 0)) where state = 'asked';
create index payment_plans_payer on payment_plans (payer_id, id);
create index payment_plans_invoice on payment_plans (invoice_id);
create index payment_plans_currency on payment_plans (currency);
create index payment_plans_asked_by on payment_plans (asked_by);
create index payment_plans_really_asked_by on payment_plans (really_asked_by);
create index payment_plans_decided_by on payment_plans (decided_by);
create index payment_plans_open on payment_plans (id) where state in ('asked', 'running');
select audit_table('payment_plans', array['parts']);

-- What a plan covered, and the instalments before it.
create table payment_plan_invoices (
  plan_id integer not null references payment_plans,
  invoice_id integer not null references invoices,
  parts_before jsonb not null,
  primary key (plan_id, invoice_id)
);
create index payment_plan_invoices_invoice on payment_plan_invoices (invoice_id);

-- The plan that runs over an invoice: one at most.
alter table invoices add column plan_id integer references payment_plans;
create index invoices_plan on invoices (plan_id) where plan_id is not null;

create trigger keep_plan before update or delete on payment_plans for each row execute function keep_plan();
create constraint trigger plan_stands after insert or update on payment_plans deferrable initially deferred
  for each row execute function check_plan();
create constraint trigger plan_stands after update of plan_id, reversed_at on invoices deferrable initially deferred
  for each row when (old.plan_id is not null or new.plan_id is not null) execute function check_plan();

install function invoice_overdue;
