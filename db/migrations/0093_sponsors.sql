-- Sponsors: companies, ministries, embassies and foundations that pay shares of the fees of many students.

install function add_sponsor_payers, keep_sponsorship;

select create_lookup('sponsors');
alter table sponsors
  add column kind text not null check (kind in ('company', 'ministry', 'embassy', 'foundation', 'other')),
  add column country_id integer references countries,
  add column email text,
  add column address text check (length(address) <= 500),
  add column tax_number text check (length(tax_number) <= 60),
  -- So many days after an invoice it is due.
  add column due_days integer not null default 30 check (due_days between 0 and 365),
  add column currency text not null check (currency in ('EGP', 'USD')),
  -- In which language it is written to.
  add column language text not null default 'en' check (language in ('ar', 'en')),
  -- How what it paid of an invoice is spread over its students: line after line, or by their shares.
  add column spread text not null default 'oldest' check (spread in ('oldest', 'share')),
  add column is_active boolean not null default false;
create index sponsors_country on sponsors (country_id);

-- Each sponsor is a payer of the ledger from the start.
alter table payers drop constraint payer_of_somebody;
alter table payers add column sponsor_id integer references sponsors on delete cascade,
  add constraint payer_of_somebody check (num_nonnulls(student_id, sponsor_id) = 1);
create unique index payers_sponsor on payers (sponsor_id) where sponsor_id is not null;
create trigger add_payers after insert on sponsors referencing new table as new_rows
  for each statement execute function add_sponsor_payers();

-- What a sponsor pays for a student: of which terms, how much, of which items, and at most how much.
create table sponsorships (
  id integer generated always as identity primary key,
  sponsor_id integer not null references sponsors,
  student_id integer not null references students,
  from_term_id integer not null references terms,
  -- Null: until it is ended.
  until_term_id integer references terms,
  percent numeric(5, 2) check (percent > 0 and percent <= 100),
  -- Of each invoice, instead of a percentage.
  amount bigint check (amount > 0),
  -- Nothing chosen: of all items.
  types text[] check (types <@ array['tuition', 'hours', 'summer', 'certificates', 'services', 'exams']),
  invoice_cap bigint check (invoice_cap > 0),
  year_cap bigint check (year_cap > 0),
  -- The number of the sponsor's letter, and the letter.
  reference text check (length(reference) <= 100),
  proof_id integer references files,
  status text not null default 'offered' check (status in ('offered', 'active', 'withdrawn', 'ended')),
  -- From this day on the sponsor pays no more; why, and by when students pay themselves.
  withdrawn_on date,
  withdrawn_reason text,
  -- The days of its terms, so that the database sees two at one time.
  during daterange not null,
  search_text text generated always as (fold_text(coalesce(reference, ''))) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sponsorship_one_of check (num_nonnulls(percent, amount) = 1),
  constraint sponsorship_withdrawn check ((status = 'withdrawn') = (withdrawn_on is not null)),
  constraint sponsorship_terms_order check (not isempty(during)),
  constraint sponsorship_twice exclude using gist (sponsor_id with =, student_id with =, during with &&)
    where (status in ('offered', 'active') and removed_at is null)
);
create index sponsorships_student on sponsorships (student_id, id);
create index sponsorships_from on sponsorships (from_term_id);
create index sponsorships_until on sponsorships (until_term_id);
create index sponsorships_proof on sponsorships (proof_id);
select audit_table('sponsorships', array['during']);
create trigger keep_terms before insert or update on sponsorships for each row execute function keep_sponsorship();

create table sponsorship_items (
  sponsorship_id integer not null references sponsorships,
  fee_item_id integer not null references fee_items,
  primary key (sponsorship_id, fee_item_id)
);
create index sponsorship_items_item on sponsorship_items (fee_item_id);
select audit_rows('sponsorship_items', 'sponsorship_id');

-- What of an invoice of a student a sponsor takes over: lines of both, the student's and the sponsor's, name it.
create table sponsor_shares (
  id integer generated always as identity primary key,
  sponsorship_id integer not null references sponsorships,
  invoice_id integer not null references invoices,
  amount bigint not null default 0 constraint sponsor_share_negative check (amount >= 0),
  -- The sponsor withdrew: what it had paid stays, and nothing is computed any more.
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint sponsor_share_twice unique (sponsorship_id, invoice_id)
);
create index sponsor_shares_invoice on sponsor_shares (invoice_id);

alter table invoice_lines add column share_id integer references sponsor_shares;
create index invoice_lines_share on invoice_lines (share_id) where share_id is not null;

alter table invoices drop constraint invoices_type_check,
  add constraint invoices_type_check check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams', 'extra', 'sponsor'));
alter table invoice_notes drop constraint invoice_notes_kind_check,
  add constraint invoice_notes_kind_check check (kind in ('debit', 'credit', 'scholarship', 'fine', 'sponsor'));
alter table ledger_entries drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (kind in ('invoice', 'debit_note', 'credit_note', 'scholarship', 'fine', 'sponsor',
    'payment', 'refund', 'cash_back', 'charge', 'wallet', 'batch', 'transfer', 'adjustment', 'reversal'));

-- What sponsors took over and has not been put on an invoice of theirs yet, kept for each of them.
insert into ledger_accounts (code, kind, role, per_payer, name, name_local) values
  ('1110', 'asset', 'sponsored', true, 'Taken over by sponsors, not invoiced yet', 'ما تحملته الجهات الراعية ولم يُفوتر بعد');
