-- Numbers of a series for many at once: the first of them. How many is said to the row, so that it goes on by no other number.
create or replace function refuse_serial_change() returns trigger language plpgsql as $$
declare
  many integer := coalesce(nullif(current_setting('ems.serials', true), '')::integer, 1);
begin
  if tg_op = 'UPDATE' and many > 0 and new.last = old.last + many and (new.series, new.period) = (old.series, old.period) then
    return new;
  end if;
  if tg_op = 'INSERT' and many > 0 and new.last = many then
    return new;
  end if;
  raise exception 'Serial numbers only go on, one by one' using errcode = 'insufficient_privilege';
end $$;
create function take_serials(of_series text, of_period text, many integer) returns integer language plpgsql as $$
declare
  taken integer;
begin
  perform set_config('ems.serials', many::text, true);
  insert into serial_numbers as s (series, period, last) values (of_series, of_period, many)
    on conflict (series, period) do update set last = s.last + many
    returning last - many + 1 into taken;
  perform set_config('ems.serials', '', true);
  return taken;
end $$;

-- Invoices: what a payer is asked for, line by line as it was computed. What was issued is not edited: notes correct it. The
-- entries of the ledger are those whose source is `invoice:ID`, `note:ID`.

create table invoices (
  id integer generated always as identity primary key,
  number text not null,
  payer_id integer not null references payers,
  year_id integer references years,
  term_id integer references terms,
  -- What it is for; `extra` was written by hand.
  type text not null check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams', 'extra')),
  currency text not null references currencies (code),
  issued_on date not null,
  -- Where the payer stood when it was issued: reports keep it there.
  faculty_id integer references faculties,
  program_id integer references programs,
  level smallint,
  -- Version of the settings whose prices it keeps, and the facts that they were applied to.
  setting_version_id integer,
  basis jsonb not null default '{}',
  note text,
  reversed_at timestamptz,
  reversed_reason text,
  search_text text generated always as (fold_text(number)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint invoices_number_key unique (number),
  constraint invoice_reversed check ((reversed_at is null) = (reversed_reason is null))
);
-- The fees of a year, or of a term of it, are asked for once.
create unique index invoice_twice on invoices (payer_id, year_id, coalesce(term_id, 0)) where reversed_at is null and type in ('tuition', 'hours', 'summer');
create index invoices_payer on invoices (payer_id, issued_on desc, id desc);
create index invoices_issued on invoices (issued_on desc, id desc);
create index invoices_year on invoices (year_id, type);
create index invoices_term on invoices (term_id);
create index invoices_faculty on invoices (faculty_id);
create index invoices_program on invoices (program_id);
create index invoices_currency on invoices (currency);
create index invoices_setting on invoices (setting_version_id);
create index invoices_search on invoices using gin (search_text gin_trgm_ops);
select audit_table('invoices', array['basis']);

alter table ledger_postings add constraint ledger_postings_invoice foreign key (invoice_id) references invoices;
alter table invoice_balances add constraint invoice_balances_invoice foreign key (invoice_id) references invoices;

-- Debit and credit notes, fines and scholarships that came later.
create table invoice_notes (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  number text not null unique,
  kind text not null check (kind in ('debit', 'credit', 'scholarship', 'fine')),
  amount bigint not null check (amount > 0),
  reason text not null,
  reason_local text,
  issued_on date not null,
  created_by integer references users,
  created_at timestamptz not null default now()
);
create index invoice_notes_invoice on invoice_notes (invoice_id, id);
create index invoice_notes_by on invoice_notes (created_by);
select audit_rows('invoice_notes', 'invoice_id');

create table invoice_lines (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  -- Null: of the invoice as it was issued.
  note_id integer references invoice_notes,
  position smallint not null,
  -- Account of the ledger that the line is booked to.
  account text not null references ledger_accounts (role),
  item text not null,
  name text not null,
  name_local text not null,
  -- How it was computed: the price row, what it was applied to.
  rule jsonb not null default '{}',
  quantity numeric(9, 2) not null default 1,
  unit_amount bigint not null,
  amount bigint not null,
  registration_id integer references registrations,
  grant_id integer,
  constraint invoice_line_place unique nulls not distinct (invoice_id, note_id, position)
);
create index invoice_lines_note on invoice_lines (note_id);
create index invoice_lines_registration on invoice_lines (registration_id);
create index invoice_lines_grant on invoice_lines (grant_id);
create index invoice_lines_account on invoice_lines (account);

-- Every invoice has one at least: a part of what it charges, with its day.
create table installments (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  position smallint not null check (position between 1 and 3),
  amount bigint not null check (amount >= 0),
  due_date date not null,
  -- Days late for which a fine was booked last.
  fined_days integer,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint installments_place unique (invoice_id, position) deferrable
);
create index installments_due on installments (due_date);
select audit_rows('installments', 'invoice_id');

-- The parts of an invoice are what it charges, at the end of each transaction.
create function check_installments() returns trigger language plpgsql as $$
declare
  of integer := coalesce(new.invoice_id, old.invoice_id);
begin
  if exists (select from invoice_balances b where b.invoice_id = of
      and b.charged <> coalesce((select sum(i.amount) from installments i where i.invoice_id = of), 0)) then
    raise exception 'Instalments differ from what the invoice charges' using errcode = 'check_violation', constraint = 'installments_differ';
  end if;
  return null;
end $$;
create constraint trigger whole after insert or update or delete on installments deferrable initially deferred
  for each row execute function check_installments();
create constraint trigger whole after insert or update on invoice_balances deferrable initially deferred
  for each row execute function check_installments();

-- An invoice that is overdue holds its student; one hold each.
alter table student_holds add column invoice_id integer references invoices;
create unique index student_holds_invoice on student_holds (invoice_id) where lifted_at is null and invoice_id is not null;
create index student_holds_of_invoice on student_holds (invoice_id);

-- What of an invoice is due until a day and not settled: null where nothing is.
create function invoice_overdue(of_invoice integer, on_day date) returns table (amount bigint, since date) language sql stable as $$
  select x.due - b.settled, (select min(y.due_date) from (select n.due_date, sum(n.amount) over (order by n.position) as until
      from installments n where n.invoice_id = of_invoice) y where y.until > b.settled)
  from invoice_balances b join invoices i on i.id = b.invoice_id and i.reversed_at is null
    cross join lateral (select coalesce(sum(n.amount), 0)::bigint as due from installments n where n.invoice_id = b.invoice_id and n.due_date < on_day) x
  where b.invoice_id = of_invoice and x.due > b.settled
$$;

-- Invoices of a term whose registrations, or scholarships, changed since: they are computed again, and a note tells the difference.
create table outdated_invoices (
  invoice_id integer primary key references invoices,
  since timestamptz not null default now()
);
-- A registration that is charged; one that was left may be charged in part.
create function charged_registration(status bigint) returns boolean language sql immutable parallel safe
return status & 2305860608542903296 <> 0;
create function outdate_invoices() returns trigger language plpgsql as $$
begin
  insert into outdated_invoices (invoice_id)
    select i.id from invoices i join payers p on p.id = i.payer_id
    where p.student_id = coalesce(new.student_id, old.student_id) and i.term_id = coalesce(new.term_id, old.term_id)
      and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer')
    on conflict do nothing;
  return null;
end $$;
create trigger outdate_invoices_insert after insert on registrations for each row
  when (charged_registration(new.status)) execute function outdate_invoices();
create trigger outdate_invoices_update after update on registrations for each row
  when (new.status <> old.status or new.credit_hours <> old.credit_hours) execute function outdate_invoices();
create trigger outdate_invoices_delete after delete on registrations for each row execute function outdate_invoices();
create function outdate_granted_invoices() returns trigger language plpgsql as $$
begin
  insert into outdated_invoices (invoice_id)
    select i.id from invoices i join payers p on p.id = i.payer_id join years y on y.id = i.year_id
    where p.student_id = new.student_id and new.during @> y.start_date and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer')
    on conflict do nothing;
  return null;
end $$;
create trigger outdate_invoices after insert or update of status on scholarship_grants for each row execute function outdate_granted_invoices();
alter table invoices add constraint invoices_setting_version foreign key (setting_version_id) references fee_versions;
alter table invoice_lines add constraint invoice_lines_grant foreign key (grant_id) references scholarship_grants;
