-- The ledger: what payers owe, have paid and hold as credit, as double-entry postings that nobody changes.

select create_lookup('currencies');
alter table currencies add column minor_digits smallint not null default 2 check (minor_digits between 0 and 3);
alter table currencies add constraint currencies_code_shape check (code ~ '^[A-Z]{3}$');
insert into currencies (code, name, name_local, minor_digits) values
  ('EGP', 'Egyptian pound', 'جنيه مصري', 2), ('USD', 'US dollar', 'دولار أمريكي', 2);

-- Whoever owes or has paid. Each student is one; when two records become one, both stay payers of it and one is the main one.
create table payers (
  id integer generated always as identity primary key,
  student_id integer references students on delete cascade,
  main boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payer_of_somebody check (student_id is not null)
);
create unique index payers_student on payers (student_id) where main;
create index payers_of_student on payers (student_id);
create function keep_main_payer() returns trigger language plpgsql as $$
begin
  if new.student_id is distinct from old.student_id then
    new.main := not exists (select from payers where student_id = new.student_id and main and id <> new.id);
  end if;
  return new;
end $$;
create trigger keep_main before update on payers for each row execute function keep_main_payer();
create function add_payers() returns trigger language plpgsql as $$
begin
  insert into payers (student_id) select id from new_rows order by id;
  return null;
end $$;
create trigger add_payers after insert on students referencing new table as new_rows
  for each statement execute function add_payers();
insert into payers (student_id) select id from students order by id;

-- Accounts. `role` is how the program finds those that it books to; `per_payer` ones are kept for each payer.
select create_lookup('ledger_accounts');
alter table ledger_accounts
  add column kind text not null check (kind in ('asset', 'liability', 'income', 'expense')),
  add column role text unique,
  add column per_payer boolean not null default false;
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

-- Sums of the postings, kept by `ledger_post` in the same transaction and proven by `npm run verify-ledger`.
create table payer_balances (
  payer_id integer not null references payers,
  currency text not null references currencies (code),
  owed bigint not null default 0,
  wallet bigint not null default 0,
  primary key (payer_id, currency),
  constraint wallet_negative check (wallet >= 0)
);
create table invoice_balances (
  invoice_id integer primary key,
  currency text not null references currencies (code),
  charged bigint not null default 0,
  settled bigint not null default 0,
  constraint invoice_charged_negative check (charged >= 0),
  constraint invoice_overpaid check (settled between 0 and charged)
);
create index invoice_balances_open on invoice_balances (invoice_id) where settled < charged;

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'The ledger is append-only: correct it by a reversal' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on ledger_entries for each row execute function refuse_ledger_change();
create trigger append_only before update or delete on ledger_postings for each row execute function refuse_ledger_change();
create trigger append_only_truncate before truncate on ledger_entries for each statement execute function refuse_ledger_change();
create trigger append_only_truncate before truncate on ledger_postings for each statement execute function refuse_ledger_change();

-- Whoever inserts: debits are credits, and what belongs to a payer says to whom.
create function check_ledger_postings() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_postings p where p.entry_id in (select entry_id from new_rows) group by p.entry_id having sum(p.amount) <> 0) then
    raise exception 'Debits differ from credits' using errcode = 'check_violation', constraint = 'ledger_unbalanced';
  end if;
  if exists (select from new_rows n join ledger_accounts a on a.id = n.account_id
      where (a.per_payer and n.payer_id is null) or (n.invoice_id is not null and a.role is distinct from 'receivable')) then
    raise exception 'A posting of a payer names the payer; what an invoice charges is receivable'
      using errcode = 'check_violation', constraint = 'ledger_posting_shape';
  end if;
  return null;
end $$;
create trigger balanced after insert on ledger_postings referencing new table as new_rows
  for each statement execute function check_ledger_postings();

/*
 * The one way into the ledger. Takes entries
 *   { kind, source, currency, settles, booked_on?, reason?, reversal_of?, postings: [{ role | account_id, payer_id?, invoice_id?, amount }] }
 * and books those whose source is not there yet; one that reverses has no postings of its own. Balances are held in one
 * order, whoever books, and what they may not become is a constraint of theirs.
 */
create function ledger_post(entries jsonb) returns table (source text, entry_id bigint, booked boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  added bigint[];
begin
  with given as (
    select x.ord, x.e, x.e ->> 'source' as source, (x.e ->> 'reversal_of')::bigint as reversal_of
    from jsonb_array_elements(entries) with ordinality x (e, ord)
  ), made as (
    insert into ledger_entries (kind, source, currency, booked_on, settles, reversal_of, reason, digest, created_by)
    select case when g.reversal_of is null then g.e ->> 'kind' else 'reversal' end, g.source,
      coalesce(r.currency, g.e ->> 'currency'), coalesce((g.e ->> 'booked_on')::date, university_today()),
      coalesce(r.settles, (g.e ->> 'settles')::boolean), g.reversal_of, g.e ->> 'reason',
      md5(coalesce(g.e -> 'postings', 'null')::text || coalesce(g.e ->> 'reversal_of', '')), (who ->> 'actor_id')::integer
    from given g left join ledger_entries r on r.id = g.reversal_of
    order by g.ord
    on conflict on constraint ledger_source_twice do nothing
    returning id, source, currency, reversal_of
  ), posted as (
    insert into ledger_postings (entry_id, account_id, payer_id, invoice_id, amount, currency)
    select p.id, p.account_id, p.payer_id, p.invoice_id, p.amount, p.currency from (
      select m.id, g.ord, y.ord as line, coalesce((y.p ->> 'account_id')::integer, a.id) as account_id, (y.p ->> 'payer_id')::integer as payer_id,
        (y.p ->> 'invoice_id')::integer as invoice_id, (y.p ->> 'amount')::bigint as amount, m.currency
      from made m join given g on g.source = m.source
        cross join jsonb_array_elements(g.e -> 'postings') with ordinality y (p, ord)
        left join ledger_accounts a on a.role = y.p ->> 'role'
      where m.reversal_of is null
      union all
      select m.id, g.ord, o.id, o.account_id, o.payer_id, o.invoice_id, -o.amount, m.currency
      from made m join given g on g.source = m.source join ledger_postings o on o.entry_id = m.reversal_of
    ) p order by p.ord, p.line
    returning entry_id
  )
  select array_agg(id) into added from made;
  if exists (select from ledger_entries o join ledger_entries r on r.reversal_of = o.id where r.id = any(added) and o.reversal_of is not null) then
    raise exception 'A reversal is not reversed' using errcode = 'check_violation', constraint = 'ledger_reversal_of_reversal';
  end if;
  if exists (select from unnest(added) n (id) where not exists (select from ledger_postings p where p.entry_id = n.id)) then
    raise exception 'An entry has postings' using errcode = 'check_violation', constraint = 'ledger_empty';
  end if;
  -- The same source once more with other content is no repetition.
  if exists (select from jsonb_array_elements(entries) x (e) join ledger_entries l on l.source = x.e ->> 'source'
      where l.digest <> md5(coalesce(x.e -> 'postings', 'null')::text || coalesce(x.e ->> 'reversal_of', ''))) then
    raise exception 'Booked already, and differently' using errcode = 'unique_violation', constraint = 'ledger_source_differs';
  end if;
  if added is not null then
    insert into payer_balances (payer_id, currency)
      select distinct p.payer_id, p.currency from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.per_payer
      where p.entry_id = any(added) order by 1, 2 on conflict do nothing;
    insert into invoice_balances (invoice_id, currency)
      select distinct p.invoice_id, p.currency from ledger_postings p where p.entry_id = any(added) and p.invoice_id is not null
      order by 1 on conflict do nothing;
    perform from payer_balances b where (b.payer_id, b.currency) in (select p.payer_id, p.currency from ledger_postings p where p.entry_id = any(added))
      order by b.payer_id, b.currency for no key update;
    perform from invoice_balances b where b.invoice_id in (select p.invoice_id from ledger_postings p where p.entry_id = any(added))
      order by b.invoice_id for no key update;
    if exists (select from ledger_postings p join invoice_balances b on b.invoice_id = p.invoice_id
        where p.entry_id = any(added) and b.currency <> p.currency) then
      raise exception 'An invoice has one currency' using errcode = 'check_violation', constraint = 'invoice_currency';
    end if;
    update payer_balances b set owed = b.owed + s.owed, wallet = b.wallet + s.wallet
      from (select p.payer_id, p.currency, coalesce(sum(p.amount) filter (where a.role = 'receivable'), 0) as owed,
          coalesce(-sum(p.amount) filter (where a.role = 'wallet'), 0) as wallet
        from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.per_payer
        where p.entry_id = any(added) group by p.payer_id, p.currency) s
      where b.payer_id = s.payer_id and b.currency = s.currency;
    update invoice_balances b set charged = b.charged + s.charged, settled = b.settled + s.settled
      from (select p.invoice_id, coalesce(sum(p.amount) filter (where not e.settles), 0) as charged,
          coalesce(-sum(p.amount) filter (where e.settles), 0) as settled
        from ledger_postings p join ledger_entries e on e.id = p.entry_id
        where p.entry_id = any(added) and p.invoice_id is not null group by p.invoice_id) s
      where b.invoice_id = s.invoice_id;
  end if;
  return query select l.source, l.id, coalesce(l.id = any(added), false)
    from jsonb_array_elements(entries) with ordinality x (e, ord) join ledger_entries l on l.source = x.e ->> 'source' order by x.ord;
end $$;

-- What the program books to is there as long as it is.
alter table ledger_accounts add constraint ledger_account_needed check (role is null or removed_at is null);
create function keep_ledger_account() returns trigger language plpgsql as $$
begin
  if (new.role, new.kind, new.per_payer) is distinct from (old.role, old.kind, old.per_payer)
      and (old.role is not null or exists (select from ledger_postings p where p.account_id = old.id)) then
    raise exception 'An account that is booked to keeps what it is' using errcode = 'check_violation', constraint = 'ledger_account_needed';
  end if;
  return new;
end $$;
create trigger keep_account before update on ledger_accounts for each row execute function keep_ledger_account();
