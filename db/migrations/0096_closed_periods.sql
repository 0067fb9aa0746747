-- Periods that are closed: through which day the books are, who said so and who took it back. What happens on such a day is
-- booked on the first day that is open, and the entry keeps its own day beside it.
create table ledger_closings (
  id integer generated always as identity primary key,
  closed_through date not null,
  note text check (length(note) <= 500),
  closed_at timestamptz not null default now(),
  closed_by integer not null references users,
  reopened_at timestamptz,
  reopened_by integer references users,
  reopen_reason text check (length(reopen_reason) between 3 and 500),
  constraint ledger_closing_reopened check (num_nulls(reopened_at, reopened_by, reopen_reason) in (0, 3))
);
create unique index ledger_closings_day on ledger_closings (closed_through) where reopened_at is null;
create index ledger_closings_closed_by on ledger_closings (closed_by);
create index ledger_closings_reopened_by on ledger_closings (reopened_by);
install function keep_ledger_closing;
create trigger keep_ledger_closing before insert or update or delete on ledger_closings for each row execute function keep_ledger_closing();
select audit_table('ledger_closings');

alter table ledger_entries add column happened_on date constraint ledger_happened_before check (happened_on < booked_on);
install function ledger_post;

-- What an account is called where the university keeps its general ledger.
alter table ledger_accounts add column external_code text check (external_code = btrim(external_code) and length(external_code) between 1 and 60);
