-- Money: the ledger, banks, fees, scholarships, invoices, payments and refunds.

install function keep_main_payer, keep_ledger_account, refuse_ledger_change, check_ledger_postings,
  keep_reserved_wallet, check_installments, keep_fee_item, keep_nationality_group, keep_fee_version,
  keep_fee_version_whole, time_of_grant, keep_grant, outdate_granted_invoices, keep_shift_review,
  keep_booked_transaction, follow_slip, check_refund, keep_drawer, cancel_refund_request, refuse_callback_change,
  check_live_line, keep_payment_slip, university_today, check_refund_request, check_paid_request;

-- The ledger: what payers owe, have paid and hold as credit, as double-entry postings that nobody changes.

create table currencies (
  id integer generated always as identity primary key,
  code text not null constraint currencies_code_shape check (code ~ '^[A-Z]{3}$'),
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  minor_digits smallint not null default 2 check (minor_digits between 0 and 3),
  constraint currencies_code_key unique (code)
);
create unique index currencies_code_in_any_case on currencies (lower(code));
select audit_table('currencies');
insert into currencies (code, name, name_local, minor_digits) values
  ('EGP', 'Egyptian pound', 'جنيه مصري', 2), ('USD', 'US dollar', 'دولار أمريكي', 2);

-- Whoever owes or has paid. Each student is one; when two records become one, both stay payers of it and one is the main one.
create table payers (
  id integer generated always as identity primary key,
  student_id integer,
  main boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payer_of_somebody check (student_id is not null)
);
create unique index payers_student on payers (student_id) where main;
create index payers_of_student on payers (student_id);
create trigger keep_main before update on payers for each row execute function keep_main_payer();

-- Accounts. `role` is how the program finds those that it books to; `per_payer` ones are kept for each payer.
create table ledger_accounts (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense')),
  role text unique,
  per_payer boolean not null default false,
  constraint ledger_accounts_code_key unique (code),
  -- What the program books to is there as long as it is.
  constraint ledger_account_needed check (role is null or removed_at is null)
);
create unique index ledger_accounts_code_in_any_case on ledger_accounts (lower(code));
select audit_table('ledger_accounts');
create trigger keep_account before update on ledger_accounts for each row execute function keep_ledger_account();
insert into ledger_accounts (code, kind, role, per_payer, name, name_local) values
  ('1100', 'asset', 'receivable', true, 'Receivable from payers', 'مستحقات على الدافعين'),
  ('1200', 'asset', 'cash', false, 'Cash drawers', 'خزائن النقدية'),
  ('1300', 'asset', 'bank', false, 'Bank', 'البنك'),
  ('1410', 'asset', 'card', false, 'Card provider', 'مزود الدفع بالبطاقات'),
  ('1420', 'asset', 'mobile', false, 'Reference number provider', 'مزود الدفع برقم مرجعي'),
  ('2100', 'liability', 'wallet', true, 'Wallets of payers', 'محافظ الدافعين'),
  ('2200', 'liability', 'suspense', false, 'Unexplained receipts', 'مقبوضات غير مفسرة'),
  ('4100', 'income', 'tuition', false, 'Tuition', 'مصروفات دراسية'),
  ('4110', 'income', 'hours', false, 'Credit hours', 'ساعات معتمدة'),
  ('4120', 'income', 'summer', false, 'Summer term', 'الفصل الصيفي'),
  ('4200', 'income', 'certificates', false, 'Certificates', 'شهادات'),
  ('4300', 'income', 'services', false, 'Services', 'خدمات'),
  ('4400', 'income', 'exams', false, 'Exam fees', 'رسوم امتحانات'),
  ('4500', 'income', 'fines', false, 'Late fines', 'غرامات تأخير'),
  ('4900', 'income', 'other_income', false, 'Other income', 'إيرادات أخرى'),
  ('5100', 'expense', 'scholarships', false, 'Scholarships and discounts', 'منح وخصومات'),
  ('5200', 'expense', 'provider_fees', false, 'Fees of payment providers', 'عمولات مزودي الدفع'),
  ('5300', 'expense', 'cash_difference', false, 'Cash over and short', 'فروق النقدية'),
  ('5900', 'expense', 'rounding', false, 'Rounding', 'فروق التقريب');

-- What happened, once: `source` says what it was booked for (`invoice:12`). Whether its postings to what payers owe settle an
-- invoice or change what it charges is said by `settles`.
create table ledger_entries (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('invoice', 'debit_note', 'credit_note', 'scholarship', 'fine', 'payment', 'refund', 'cash_back',
    'charge', 'wallet', 'batch', 'transfer', 'adjustment', 'reversal')),
  source text not null,
  currency text not null references currencies (code),
  booked_on date not null,
  settles boolean not null,
  reversal_of bigint references ledger_entries,
  reason text,
  digest text not null,
  created_by integer references users,
  created_at timestamptz not null default now(),
  constraint ledger_source_twice unique (source),
  constraint ledger_reversed_twice unique (reversal_of),
  constraint ledger_reversal_kind check ((kind = 'reversal') = (reversal_of is not null)),
  constraint ledger_entries_currency unique (id, currency)
);
create index ledger_entries_booked_on on ledger_entries (booked_on, id);
create trigger append_only before update or delete on ledger_entries for each row execute function refuse_ledger_change();
create trigger append_only_truncate before truncate on ledger_entries for each statement execute function refuse_ledger_change();

-- Debits are positive, credits negative, in minor units.
create table ledger_postings (
  id bigint generated always as identity primary key,
  entry_id bigint not null,
  account_id integer not null references ledger_accounts,
  payer_id integer references payers,
  invoice_id integer,
  amount bigint not null check (amount <> 0),
  currency text not null,
  constraint ledger_postings_entry foreign key (entry_id, currency) references ledger_entries (id, currency)
);
create index ledger_postings_entry on ledger_postings (entry_id);
create index ledger_postings_payer on ledger_postings (payer_id, id) where payer_id is not null;
create index ledger_postings_invoice on ledger_postings (invoice_id) where invoice_id is not null;
create index ledger_postings_account on ledger_postings (account_id, id);
create trigger append_only before update or delete on ledger_postings for each row execute function refuse_ledger_change();
create trigger append_only_truncate before truncate on ledger_postings for each statement execute function refuse_ledger_change();
create trigger balanced after insert on ledger_postings referencing new table as new_rows
  for each statement execute function check_ledger_postings();

-- Sums of the postings, kept by `ledger_post` in the same transaction and proven by `npm run verify-ledger`.
create table payer_balances (
  payer_id integer not null references payers,
  currency text not null references currencies (code),
  owed bigint not null default 0,
  wallet bigint not null default 0 constraint wallet_negative check (wallet >= 0),
  primary key (payer_id, currency)
);
create trigger keep_reserved before update on payer_balances for each row when (new.wallet < old.wallet) execute function keep_reserved_wallet();

create table invoice_balances (
  invoice_id integer primary key,
  currency text not null references currencies (code),
  charged bigint not null default 0 constraint invoice_charged_negative check (charged >= 0),
  settled bigint not null default 0,
  constraint invoice_overpaid check (settled between 0 and charged)
);
create index invoice_balances_open on invoice_balances (invoice_id) where settled < charged;
create constraint trigger whole after insert or update on invoice_balances deferrable initially deferred
  for each row execute function check_installments();

-- Bank accounts of the university, and what payers are told about paying into them.

-- An IBAN is kept as machines write it; whether its check digits are right is a rule of the program.
create table banks (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  branch text check (length(branch) <= 200),
  account_number text not null check (account_number ~ '^[0-9A-Za-z][0-9A-Za-z ./-]{2,39}$'),
  iban text constraint bank_iban_shape check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  swift text constraint bank_swift_shape check (swift ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  currency_id integer not null references currencies,
  is_active boolean not null default false,
  -- The account of the ledger that stands for it, its own.
  ledger_account_id integer not null references ledger_accounts,
  constraint banks_code_key unique (code)
);
create unique index bank_iban_taken on banks (iban) where removed_at is null;
create unique index bank_ledger_account on banks (ledger_account_id);
create index banks_currency on banks (currency_id);
create unique index banks_code_in_any_case on banks (lower(code));
select audit_table('banks');

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

-- What proving the ledger said, each time: when, for whom, how much was looked at, and what was found.
create table ledger_proofs (
  id integer generated always as identity primary key,
  proven_at timestamptz not null default now(),
  -- Null: by itself, at night.
  proven_by integer references users,
  seconds numeric(8, 2) not null check (seconds >= 0),
  entries bigint not null,
  postings bigint not null,
  totals jsonb not null,
  -- The first of as many as `count` says.
  count integer not null check (count >= 0),
  findings jsonb not null default '[]'
);
create index ledger_proofs_by on ledger_proofs (proven_by);

-- What is charged: items, prices by year in versions that never change, days by which instalments are due, fines.

-- What an item is, it stays: versions of years name it.
create table fee_items (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  type text not null check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams')),
  is_automatic boolean not null default false,
  constraint fee_items_code_key unique (code)
);
create unique index fee_items_code_in_any_case on fee_items (lower(code));
select audit_table('fee_items');
create trigger keep_item before update of type, is_automatic on fee_items for each row execute function keep_fee_item();
insert into fee_items (code, name, name_local, type, is_automatic) values
  ('TUITION', 'Tuition', 'المصروفات الدراسية', 'tuition', true),
  ('HOURS', 'Credit hours', 'رسوم الساعات المعتمدة', 'hours', true),
  ('SUMMER', 'Summer hours', 'رسوم ساعات الفصل الصيفي', 'summer', true);

-- Who pays alike: the currency, and prices that are theirs alone. Nationalities that stand in no group are those of the default one.
create table nationality_groups (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  currency text not null check (currency in ('EGP', 'USD')),
  is_default boolean not null default false,
  constraint nationality_groups_code_key unique (code)
);
create unique index nationality_group_default on nationality_groups (is_default) where is_default and removed_at is null;
create unique index nationality_groups_code_in_any_case on nationality_groups (lower(code));
select audit_table('nationality_groups');
create trigger keep_group before update of currency, removed_at on nationality_groups
  for each row execute function keep_nationality_group();
insert into nationality_groups (code, name, name_local, currency, is_default) values
  ('EG', 'Egyptians', 'المصريون', 'EGP', false), ('INT', 'International students', 'الوافدون', 'USD', true);

create table nationality_group_countries (
  nationality_group_id integer not null references nationality_groups,
  country_id integer not null constraint nationality_in_one_group unique references countries,
  primary key (nationality_group_id, country_id)
);
select audit_table('nationality_group_countries');

-- Settings of an academic year. Whatever is saved is a new version of all of them; an old one stays as it is, so that what was
-- computed by it can be computed again.
create table fee_versions (
  id integer generated always as identity primary key,
  year_id integer not null references years,
  number integer not null check (number > 0),
  -- What was saved: prices of which type, accounts, days, fines …
  what text not null,
  note text,
  stacking text not null check (stacking in ('rest', 'full')),
  -- Of a line, all scholarships together take so many hundredths of a percent at most.
  grant_cap integer not null check (grant_cap between 0 and 10000),
  made_by integer references users,
  made_at timestamptz not null default now(),
  -- The transaction in which all its rows are written.
  made_in xid8 not null default pg_current_xact_id(),
  constraint fee_version_taken unique (year_id, number)
);
create index fee_versions_by on fee_versions (made_by);
select audit_table('fee_versions', array['made_in']);
create trigger kept before update or delete on fee_versions for each row execute function keep_fee_version();

-- Rows keep their ids from version to version.
create sequence fee_row_ids as integer;

create table fee_prices (
  version_id integer not null references fee_versions,
  id integer not null default nextval('fee_row_ids'),
  item_id integer not null references fee_items,
  program_id integer references programs,
  faculty_id integer references faculties,
  level smallint check (level between 1 and 12),
  bylaw_id integer references bylaws,
  nationality_group_id integer references nationality_groups,
  currency text not null check (currency in ('EGP', 'USD')),
  amount bigint not null constraint fee_amount_possible check (amount between 0 and 100000000000),
  per text not null check (per in ('year', 'term', 'hour', 'course', 'copy', 'request')),
  primary key (version_id, id)
);
-- Two that are as telling as each other for somebody: by the same criteria, for the group or for the currency.
create unique index fee_prices_equal on fee_prices (version_id, item_id, nationality_group_id, program_id, bylaw_id, faculty_id, level,
  (case when nationality_group_id is null then currency end)) nulls not distinct;
create index fee_prices_item on fee_prices (item_id);
create index fee_prices_program on fee_prices (program_id);
create index fee_prices_faculty on fee_prices (faculty_id);
create index fee_prices_bylaw on fee_prices (bylaw_id);
create index fee_prices_group on fee_prices (nationality_group_id);
create trigger kept before update or delete on fee_prices for each row execute function keep_fee_version();
create trigger kept_whole before insert on fee_prices for each row execute function keep_fee_version_whole();

create table fee_due_dates (
  version_id integer not null references fee_versions,
  id integer not null default nextval('fee_row_ids'),
  type text not null check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams')),
  instalment smallint not null check (instalment between 1 and 3),
  due_on date not null,
  -- Per mille of the total.
  share integer not null check (share between 1 and 1000),
  term_kind text check (term_kind in ('fall', 'spring', 'summer')),
  faculty_id integer references faculties,
  level smallint check (level between 1 and 12),
  primary key (version_id, id),
  constraint fee_due_twice unique nulls not distinct (version_id, type, term_kind, faculty_id, level, instalment)
);
create index fee_due_dates_faculty on fee_due_dates (faculty_id);
create trigger kept before update or delete on fee_due_dates for each row execute function keep_fee_version();
create trigger kept_whole before insert on fee_due_dates for each row execute function keep_fee_version_whole();

create table fee_fines (
  version_id integer not null references fee_versions,
  id integer not null default nextval('fee_row_ids'),
  type text not null check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams')),
  currency text not null check (currency in ('EGP', 'USD')),
  cap bigint check (cap > 0),
  primary key (version_id, id),
  constraint fee_fine_twice unique (version_id, type, currency)
);
create trigger kept before update or delete on fee_fines for each row execute function keep_fee_version();
create trigger kept_whole before insert on fee_fines for each row execute function keep_fee_version_whole();

create table fee_fine_steps (
  version_id integer not null,
  fine_id integer not null,
  from_days smallint not null check (from_days between 1 and 1000),
  amount bigint check (amount > 0),
  per_mille integer check (per_mille between 1 and 1000),
  primary key (version_id, fine_id, from_days),
  foreign key (version_id, fine_id) references fee_fines (version_id, id),
  constraint fee_fine_one_of check (num_nonnulls(amount, per_mille) = 1)
);
create trigger kept before update or delete on fee_fine_steps for each row execute function keep_fee_version();
create trigger kept_whole before insert on fee_fine_steps for each row execute function keep_fee_version_whole();

-- Where a type is paid into, the first one by itself.
create table fee_accounts (
  version_id integer not null references fee_versions,
  id integer not null default nextval('fee_row_ids'),
  type text not null check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams')),
  currency text not null check (currency in ('EGP', 'USD')),
  bank_id integer not null references banks,
  primary key (version_id, id),
  constraint fee_account_twice unique (version_id, type, currency, bank_id)
);
create index fee_accounts_bank on fee_accounts (bank_id);
create trigger kept before update or delete on fee_accounts for each row execute function keep_fee_version();
create trigger kept_whole before insert on fee_accounts for each row execute function keep_fee_version_whole();

-- Scholarships and discounts: what there is, and what was granted to whom.
create table scholarships (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Given by hand, or by what is known of a student.
  basis text not null check (basis in ('manual', 'percentage', 'gpa', 'rank', 'sibling')),
  -- From here on, and up to here where that is said: percent of the school certificate, GPA, place in the rank, which child.
  from_value numeric(6, 2) check (from_value >= 0),
  to_value numeric(6, 2) check (to_value >= 0),
  -- For whom: of one year, bylaw, faculty, level, or of all.
  year_id integer references years,
  bylaw_id integer references bylaws,
  faculty_id integer references faculties,
  level smallint check (level between 1 and 12),
  percent numeric(5, 2) check (percent > 0 and percent <= 100),
  amount bigint check (amount > 0),
  currency text check (currency in ('EGP', 'USD')),
  types text[] not null check (cardinality(types) > 0
    and types <@ array['tuition', 'hours', 'summer', 'certificates', 'services', 'exams']),
  -- Lower ones are taken off first.
  priority smallint not null default 100 check (priority between 1 and 1000),
  is_active boolean not null default true,
  constraint scholarships_code_key unique (code),
  constraint scholarship_one_of check (num_nonnulls(percent, amount) = 1),
  constraint scholarship_amount_currency check ((amount is null) = (currency is null)),
  constraint scholarship_from_to check (from_value <= to_value),
  constraint scholarship_condition check ((basis = 'manual') = (from_value is null)),
  -- A GPA lies between 0 and 4, a percentage between 0 and 100. What stands from before stays as it is until it is changed.
  constraint scholarship_limits check (case basis
    when 'gpa' then from_value <= 4 and coalesce(to_value, 0) <= 4
    when 'percentage' then from_value <= 100 and coalesce(to_value, 0) <= 100
    when 'rank' then from_value >= 1
    when 'sibling' then from_value >= 1
    else true end)
);
create index scholarships_year on scholarships (year_id);
create index scholarships_bylaw on scholarships (bylaw_id);
create index scholarships_faculty on scholarships (faculty_id);
create unique index scholarships_code_in_any_case on scholarships (lower(code));
select audit_table('scholarships');

-- Those of the types that it reduces; without any, all of them.
create table scholarship_items (
  scholarship_id integer not null references scholarships on delete cascade,
  fee_item_id integer not null references fee_items,
  primary key (scholarship_id, fee_item_id)
);
create index scholarship_items_item on scholarship_items (fee_item_id);
select audit_table('scholarship_items');

-- Given to a student, with the terms of then.
create table scholarship_grants (
  id integer generated always as identity primary key,
  student_id integer not null,
  scholarship_id integer not null references scholarships,
  year_id integer not null references years,
  -- The last year of it.
  until_year_id integer not null references years,
  -- From the first day of the first year to the last day of the last one.
  during daterange not null,
  status text not null default 'applied' check (status in ('applied', 'lost', 'removed')),
  percent numeric(5, 2) check (percent > 0 and percent <= 100),
  amount bigint check (amount > 0),
  currency text check (currency in ('EGP', 'USD')),
  types text[] not null check (cardinality(types) > 0),
  item_ids integer[] not null default '{}',
  priority smallint not null,
  -- What an automatic one stands on: the GPA, the place, the sibling.
  facts jsonb not null default '{}',
  reason text check (length(reason) <= 500),
  granted_by integer references users,
  granted_at timestamptz not null default now(),
  ended_by integer references users,
  ended_at timestamptz,
  ended_reason text check (length(ended_reason) <= 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint grant_one_of check (num_nonnulls(percent, amount) = 1),
  constraint grant_amount_currency check ((amount is null) = (currency is null)),
  constraint grant_ended check ((status = 'applied') = (ended_at is null)),
  constraint grant_twice exclude using gist (student_id with =, scholarship_id with =, during with &&) where (status = 'applied')
);
create index scholarship_grants_student on scholarship_grants (student_id);
create index scholarship_grants_scholarship on scholarship_grants (scholarship_id);
create index scholarship_grants_year on scholarship_grants (year_id);
create index scholarship_grants_until on scholarship_grants (until_year_id);
create index scholarship_grants_by on scholarship_grants (granted_by);
create index scholarship_grants_ended_by on scholarship_grants (ended_by);
select audit_table('scholarship_grants');
create trigger time_of_grant before insert or update of year_id, until_year_id on scholarship_grants
  for each row execute function time_of_grant();
create trigger keep_grant before update of scholarship_id, percent, amount, currency, types, item_ids, year_id, status on scholarship_grants
  for each row when (old is distinct from new) execute function keep_grant();
create trigger outdate_invoices after insert or update of status on scholarship_grants for each row execute function outdate_granted_invoices();
-- What a scholarship was granted for by a rule is kept with it.
select basis_goes_with('scholarship_grants', 'scholarship');

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
  constraint invoice_reversed check ((reversed_at is null) = (reversed_reason is null)),
  constraint invoices_setting_version foreign key (setting_version_id) references fee_versions
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
alter table ledger_postings add constraint ledger_postings_invoice foreign key (invoice_id) references invoices;
alter table invoice_balances add constraint invoice_balances_invoice foreign key (invoice_id) references invoices;
select audit_table('invoices', array['basis']);

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
  registration_id integer,
  grant_id integer,
  constraint invoice_line_place unique nulls not distinct (invoice_id, note_id, position),
  constraint invoice_lines_grant foreign key (grant_id) references scholarship_grants
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
create constraint trigger whole after insert or update or delete on installments deferrable initially deferred
  for each row execute function check_installments();

-- Invoices of a term whose registrations, or scholarships, changed since: they are computed again, and a note tells the difference.
create table outdated_invoices (
  invoice_id integer primary key references invoices,
  since timestamptz not null default now()
);

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
  updated_at timestamptz not null default now(),
  -- The review of a drawer whose count differed: said once, by somebody else than who counted.
  reviewed_by integer references users,
  reviewed_at timestamptz,
  review_note text check (length(review_note) between 3 and 500),
  -- Somebody who acts as a cashier is the one who really sits at the drawer: nobody reviews what was so opened or counted by oneself.
  really_opened_by integer references users,
  really_closed_by integer references users,
  constraint shift_reviewed check ((reviewed_by is null) = (reviewed_at is null) and (reviewed_by is null) = (review_note is null)),
  constraint shift_review_closed check (reviewed_at is null or closed_at is not null),
  constraint shift_review_own check (reviewed_by is distinct from cashier_id)
);
create unique index cash_shift_open on cash_shifts (cashier_id) where closed_at is null;
create index cash_shifts_cashier on cash_shifts (cashier_id, opened_at desc);
create index cash_shifts_reviewed_by on cash_shifts (reviewed_by);
create index cash_shifts_really_opened_by on cash_shifts (really_opened_by);
create index cash_shifts_really_closed_by on cash_shifts (really_closed_by);
select audit_table('cash_shifts');
create trigger keep_review before update on cash_shifts for each row execute function keep_shift_review();

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
  -- Bank slips: a paper with which a student pays at the bank, and the stamped one that comes back.
  -- By what the bank named money that a slip or a person says has come. What was booked by it once is not booked again.
  bank_reference text check (length(bank_reference) between 3 and 60),
  bank_reference_key text generated always as (lower(regexp_replace(bank_reference, '[^[:alnum:]]', '', 'g'))) stored,
  constraint transaction_booked check ((status = 'paid') <= (entry_id is not null and booked_on is not null and paid_at is not null)),
  constraint transaction_cash check (way <> 'cash' or status <> 'paid' or (shift_id is not null and receipt is not null)),
  constraint transaction_refund check ((refund_of is not null) <= (direction = 'out')),
  constraint transaction_bank_reference check (bank_reference is null or bank_id is not null)
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
create unique index bank_reference_used on transactions (bank_id, bank_reference_key) where status = 'paid' and bank_reference_key is not null;
create index transactions_bank_reference on transactions (bank_reference_key) where bank_reference_key is not null;
select audit_table('transactions');
create trigger keep_booked before update on transactions for each row execute function keep_booked_transaction();
create trigger follow_slip after update of status on transactions for each row
  when (new.way = 'slip' and new.status is distinct from old.status and new.status in ('paid', 'cancelled')) execute function follow_slip();
create trigger check_refund before insert on transactions for each row
  when (new.refund_of is not null and new.status in ('new', 'pending', 'paid')) execute function check_refund();
create trigger check_asked_back before update on transactions for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled') execute function check_refund();
create trigger keep_drawer_paid after update on transactions for each row
  when (new.way = 'cash' and new.shift_id is not null and new.status is distinct from old.status
    and (new.direction = 'out' and new.status = 'paid' or new.direction = 'in' and old.status = 'paid'))
  execute function keep_drawer();
create trigger keep_drawer_entered after insert on transactions for each row
  when (new.way = 'cash' and new.shift_id is not null and new.direction = 'out' and new.status = 'paid')
  execute function keep_drawer();
create trigger cancel_refund_request after update of status on transactions for each row
  when (new.direction = 'out' and new.status = 'cancelled' and old.status <> 'cancelled') execute function cancel_refund_request();

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
create trigger append_only before update or delete on provider_callbacks for each row execute function refuse_callback_change();
create trigger append_only_truncate before truncate on provider_callbacks for each statement execute function refuse_callback_change();

-- What a callback, or an answer to our question, said, and what became of it. Without a verdict it waits.
create table provider_events (
  id bigint generated always as identity primary key,
  -- What a provider sent stays as it came; what it did not send ends with its time (`forged_callbacks` of the periods).
  callback_id bigint unique references provider_callbacks on delete cascade,
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
  -- A refund that a provider was asked for is booked and waits for its answer; when it is asked next stands here.
  reason text not null default '',
  checks integer not null default 0,
  next_check_at timestamptz,
  -- Where the provider cannot say: a person who looked there.
  decided_by integer references users,
  decision_reason text,
  version integer not null default 1,
  constraint provider_refunds_refund unique (refund_id)
);
create index provider_refunds_payment on provider_refunds (payment_id);
create index provider_refunds_checks on provider_refunds (next_check_at) where status = 'asked';
create index provider_refunds_decided_by on provider_refunds (decided_by);
create unique index refund_not_answered on provider_refunds (payment_id) where status = 'asked';

-- Files of banks: what each says line by line, what of it is whose, and what was booked of it.

-- How the tables of a bank are written: which column is what. Remembered from the last one that was read.
create table bank_formats (
  id integer primary key references banks on delete cascade,
  format jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select audit_table('bank_formats');

create table batches (
  id integer generated always as identity primary key,
  number text not null unique,
  bank_id integer not null references banks,
  file_id integer not null references files,
  file_name text not null,
  -- Of its content: the same file is known under another name, too.
  hash text not null,
  format text check (format in ('csv', 'xlsx', 'camt', 'mt940')),
  status text not null default 'reading' check (status in ('reading', 'columns', 'failed', 'previewed', 'saved', 'deleted')),
  -- Which columns nobody has said yet, with the headings; and how it was read.
  asks jsonb,
  table_format jsonb,
  -- What is told of the file as a whole, and of lines that stop nothing.
  notes jsonb not null default '[]',
  -- Why it could not be read.
  problem jsonb,
  statements jsonb not null default '[]',
  search_text text generated always as (fold_text(number || ' ' || file_name)) stored,
  version integer not null default 1,
  -- As every record with steps has it; a batch that was deleted stays, with its state.
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index batches_bank on batches (bank_id, id desc);
create index batches_file on batches (file_id);
create index batches_hash on batches (hash);
create index batches_search on batches using gin (search_text gin_trgm_ops);
select audit_table('batches', array['asks', 'table_format', 'notes', 'statements', 'status']);

create table batch_lines (
  id integer generated always as identity primary key,
  batch_id integer not null references batches on delete cascade,
  bank_id integer not null references banks,
  line integer not null,
  part integer not null default 0,
  booked_on date,
  value_on date,
  amount bigint not null check (amount >= 0),
  currency text,
  direction text not null check (direction in ('in', 'out')),
  reference text,
  counterparty text,
  iban text,
  description text,
  bank_reference text,
  -- Whose it is: known, one may be it, nobody is known, in an earlier file already, not to be booked, not to be read.
  state text not null check (state in ('matched', 'proposed', 'unmatched', 'duplicate', 'not_booked', 'wrong')),
  why jsonb,
  match_by text check (match_by in ('invoice', 'student', 'slip', 'person')),
  payer_id integer references payers,
  invoice_id integer references invoices,
  proposals jsonb not null default '[]',
  -- By which it is known again in another file, with its place among lines that are alike.
  fingerprint text not null,
  ordinal integer not null default 1,
  duplicate_of integer references batch_lines on delete set null,
  -- Counts among what the bank has said: of a saved file, and not of one that was deleted.
  live boolean not null default false,
  transaction_id integer references transactions,
  -- In the ledger without a payer: what is not explained yet.
  entry_id bigint references ledger_entries,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint batch_line_matched check ((state = 'matched') <= (payer_id is not null and match_by is not null)),
  constraint batch_line_readable check (state = 'wrong' or booked_on is not null or not live),
  constraint batch_line_came_in
    check (direction = 'in' or state not in ('matched', 'proposed', 'unmatched'))
);
create index batch_lines_batch on batch_lines (batch_id, state, line, part);
create index batch_lines_day on batch_lines (bank_id, booked_on) where live;
create index batch_lines_open on batch_lines (bank_id, id) where live and entry_id is not null and transaction_id is null;
create index batch_lines_payer on batch_lines (payer_id) where payer_id is not null;
create index batch_lines_invoice on batch_lines (invoice_id) where invoice_id is not null;
create index batch_lines_duplicate on batch_lines (duplicate_of) where duplicate_of is not null;
create index batch_lines_transaction on batch_lines (transaction_id) where transaction_id is not null;
create index batch_lines_entry on batch_lines (entry_id) where entry_id is not null;
create index batch_lines_iban on batch_lines (iban) where live and transaction_id is not null;
-- What the bank said once counts once, whoever saves and in however many files.
create unique index batch_line_twice on batch_lines (bank_id, fingerprint, ordinal) where live;
create index batch_lines_amount on batch_lines (bank_id, amount) where live;
-- What a person says of a line is kept in the audit trail; what is read and booked of tens of thousands at once stands in the
-- transactions and entries that it makes.
create trigger audit_update after update on batch_lines referencing old table as old_rows new table as new_rows
  for each statement when (coalesce(current_setting('ems.booking_lines', true), '') = '') execute function audit_change('{batch_id,id}', '{version,updated_at,created_at,proposals,transaction_id,entry_id,live}');
create trigger touch before update on batch_lines for each row execute function touch_version();
create constraint trigger booked after insert or update of live, transaction_id, entry_id on batch_lines deferrable initially deferred
  for each row when (new.live) execute function check_live_line();

create table payment_slips (
  id integer generated always as identity primary key,
  number text not null unique,
  -- The money that it stands for: amount, bank, invoice and what the bank calls it are there.
  transaction_id integer not null unique references transactions,
  invoice_id integer not null references invoices,
  -- Which instalment of it; null: all that is open.
  part smallint check (part between 1 and 3),
  parts int4range not null generated always as (case when part is null then int4range(1, 4) else int4range(part, part + 1) end) stored,
  -- What it was issued for; what was paid may differ, and stands in the transaction.
  amount bigint not null check (amount > 0),
  status text not null default 'issued' check (status in ('issued', 'uploaded', 'accepted', 'rejected', 'expired', 'cancelled')),
  issued_on date not null default university_today(),
  expires_on date not null,
  -- What the bank stamped.
  paid_on date,
  file_id integer references files,
  uploaded_at timestamptz,
  uploaded_by integer references users,
  rejected_reason text,
  search_text text generated always as (fold_text(number)) stored,
  version integer not null default 1,
  -- As every record with steps has it; a slip stays, with its state.
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint slip_days check (expires_on >= issued_on),
  constraint slip_stamped check (status not in ('uploaded', 'rejected') or (paid_on is not null and file_id is not null)),
  -- Of a part of an invoice one is out at a time, whoever issues it; all of it is every part.
  constraint slip_live exclude using gist (invoice_id with =, parts with &&) where (status in ('issued', 'uploaded'))
);
create index payment_slips_invoice on payment_slips (invoice_id);
create index payment_slips_file on payment_slips (file_id);
create index payment_slips_uploaded_by on payment_slips (uploaded_by);
create index payment_slips_waiting on payment_slips (uploaded_at) where status = 'uploaded';
select audit_table('payment_slips');
create trigger keep_slip before update on payment_slips for each row execute function keep_payment_slip();

-- A press of a button at the desk: what it did is answered again to whoever sends it once more.
create table repeat_keys (
  key uuid primary key,
  payer_id integer not null references payers,
  -- What was asked for, and what was answered.
  asked jsonb not null,
  answer jsonb not null,
  created_at timestamptz not null default now()
);
create index repeat_keys_payer on repeat_keys (payer_id);

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
  status text not null default 'asked',
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
  -- Somebody who acts as another one is the one who really sits there: who asked for a refund so does not approve it in the own name,
  -- nor acting as a third.
  really_asked_by integer references users,
  constraint refund_of_payment check ((payment_id is null) = (kind = 'cash_back')),
  constraint refund_request_wallet check (from_wallet between 0 and amount),
  constraint refund_own_request check (decided_by <> asked_by),
  constraint refund_request_rejected check (status <> 'rejected' or decision_reason is not null),
  constraint refund_own_request_really check (decided_by <> really_asked_by),
  -- What was paid out and cancelled again, or what a provider did not take, is not called paid out any more.
  constraint refund_requests_status_check check (status in ('asked', 'approved', 'paid_out', 'cancelled', 'rejected', 'withdrawn')),
  constraint refund_request_decided check ((status in ('approved', 'paid_out', 'cancelled', 'rejected')) = (decided_by is not null and decided_at is not null))
);
create index refund_requests_open on refund_requests (payer_id, currency) where status in ('asked', 'approved');
create index refund_requests_payment on refund_requests (payment_id) where status in ('asked', 'approved');
create index refund_requests_payment_all on refund_requests (payment_id);
create index refund_requests_payer on refund_requests (payer_id);
create index refund_requests_transaction on refund_requests (transaction_id);
create index refund_requests_asked_by on refund_requests (asked_by);
create index refund_requests_decided_by on refund_requests (decided_by);
create index refund_requests_currency on refund_requests (currency);
create index refund_requests_really_asked_by on refund_requests (really_asked_by);
select audit_table('refund_requests');
create trigger check_request before insert or update on refund_requests for each row execute function check_refund_request();
create constraint trigger check_paid after insert or update on refund_requests deferrable initially deferred
  for each row when (new.status = 'paid_out') execute function check_paid_request();

-- What was charged for a request that costs something: while it is not paid, nobody decides on the request.
create table request_fees (
  invoice_id integer primary key references invoices,
  -- Name of the workflow, and id of the record in its table.
  workflow text not null,
  record_id integer not null,
  -- As the request was told last.
  settled boolean not null default false,
  -- The request was taken back, or goes on without it.
  taken_back_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index fee_charged_already on request_fees (workflow, record_id) where taken_back_at is null;

-- Views ---------------------------------------------------------------------------------------------------------------

-- Fees whose request has not heard yet how they stand. What was reversed is to be paid no more.
create view request_fees_untold as
select f.invoice_id, f.workflow, f.record_id, i.payer_id, coalesce(b.settled >= b.charged, false) as settled
from request_fees f join invoices i on i.id = f.invoice_id left join invoice_balances b on b.invoice_id = f.invoice_id
where f.taken_back_at is null and f.settled <> coalesce(b.settled >= b.charged, false);

-- What the program and other functions call.
install function bank_line_of, certificates_held, charged_registration, invoice_overdue, kept_by_debt, ledger_post,
  nationality_group_of, refund_reserved, results_held;
