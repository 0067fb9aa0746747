-- Bank accounts of the university, and what payers are told about paying into them.

-- An IBAN is kept as machines write it; whether its check digits are right is a rule of the program.
select create_lookup('banks');
alter table banks
  add branch text check (length(branch) <= 200),
  add account_number text not null check (account_number ~ '^[0-9A-Za-z][0-9A-Za-z ./-]{2,39}$'),
  add iban text constraint bank_iban_shape check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  add swift text constraint bank_swift_shape check (swift ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  add currency_id integer not null references currencies,
  add is_active boolean not null default false,
  -- The account of the ledger that stands for it, its own.
  add ledger_account_id integer not null references ledger_accounts;
create unique index bank_iban_taken on banks (iban) where removed_at is null;
create unique index bank_ledger_account on banks (ledger_account_id);
create index banks_currency on banks (currency_id);

create table bank_info_notes (
  id integer generated always as identity primary key,
  -- null: said with every bank.
  bank_id integer references banks,
  name text not null check (name <> ''),
  name_local text not null check (name_local <> ''),
  notes text not null check (notes <> '' and length(notes) <= 4000),
  notes_local text not null check (notes_local <> '' and length(notes_local) <= 4000),
  is_active boolean not null default false,
  search_text text generated always as (fold_text(name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index bank_info_notes_bank on bank_info_notes (bank_id);
select audit_table('bank_info_notes');
