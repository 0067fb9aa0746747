-- What is charged: items, prices by year in versions that never change, days by which instalments are due, fines.

-- What an item is, it stays: versions of years name it.
select create_lookup('fee_items');
alter table fee_items
  add column type text not null check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams')),
  add column is_automatic boolean not null default false;
insert into fee_items (code, name, name_local, type, is_automatic) values
  ('TUITION', 'Tuition', 'المصروفات الدراسية', 'tuition', true),
  ('HOURS', 'Credit hours', 'رسوم الساعات المعتمدة', 'hours', true),
  ('SUMMER', 'Summer hours', 'رسوم ساعات الفصل الصيفي', 'summer', true);
create function keep_fee_item() returns trigger language plpgsql as $$
begin
  if (new.type, new.is_automatic) is distinct from (old.type, old.is_automatic)
      and exists (select from fee_prices p where p.item_id = old.id) then
    raise exception using errcode = '23514', constraint = 'fee_item_priced', message = 'the item has prices';
  end if;
  return new;
end $$;
create trigger keep_item before update of type, is_automatic on fee_items for each row execute function keep_fee_item();

-- Who pays alike: the currency, and prices that are theirs alone. Nationalities that stand in no group are those of the default one.
select create_lookup('nationality_groups');
alter table nationality_groups
  add column currency text not null check (currency in ('EGP', 'USD')),
  add column is_default boolean not null default false;
create unique index nationality_group_default on nationality_groups (is_default) where is_default and removed_at is null;
create table nationality_group_countries (
  nationality_group_id integer not null references nationality_groups,
  country_id integer not null constraint nationality_in_one_group unique references countries,
  primary key (nationality_group_id, country_id)
);
select audit_table('nationality_group_countries');
create function keep_nationality_group() returns trigger language plpgsql as $$
begin
  if new.currency is distinct from old.currency then
    raise exception using errcode = '23514', constraint = 'nationality_group_currency', message = 'what was charged stays in its currency';
  end if;
  if new.removed_at is not null and old.removed_at is null then
    if old.is_default then
      raise exception using errcode = '23514', constraint = 'nationality_group_needed', message = 'it is the default one';
    end if;
    delete from nationality_group_countries where nationality_group_id = old.id;
  end if;
  return new;
end $$;
create trigger keep_group before update of currency, removed_at on nationality_groups
  for each row execute function keep_nationality_group();
insert into nationality_groups (code, name, name_local, currency, is_default) values
  ('EG', 'Egyptians', 'المصريون', 'EGP', false), ('INT', 'International students', 'الوافدون', 'USD', true);
-- 64 is Egypt.
insert into nationality_group_countries (nationality_group_id, country_id)
  select g.id, c.id from nationality_groups g, countries c where g.code = 'EG' and c.id = 64;

-- In which group somebody of a nationality is; null where the nationality is not known.
create function nationality_group_of(country integer) returns integer language sql stable as $$
  select case when country is not null then coalesce(
    (select n.nationality_group_id from nationality_group_countries n where n.country_id = country),
    (select g.id from nationality_groups g where g.is_default and g.removed_at is null)) end
$$;

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

create table fee_fines (
  version_id integer not null references fee_versions,
  id integer not null default nextval('fee_row_ids'),
  type text not null check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams')),
  currency text not null check (currency in ('EGP', 'USD')),
  cap bigint check (cap > 0),
  primary key (version_id, id),
  constraint fee_fine_twice unique (version_id, type, currency)
);
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

create function keep_fee_version() returns trigger language plpgsql as $$
begin
  raise exception 'A version of fee settings is never changed: save a new one' using errcode = 'insufficient_privilege';
end $$;
create trigger kept before update or delete on fee_versions for each row execute function keep_fee_version();
create trigger kept before update or delete on fee_prices for each row execute function keep_fee_version();
create trigger kept before update or delete on fee_due_dates for each row execute function keep_fee_version();
create trigger kept before update or delete on fee_fines for each row execute function keep_fee_version();
create trigger kept before update or delete on fee_accounts for each row execute function keep_fee_version();
create trigger kept before update or delete on fee_fine_steps for each row execute function keep_fee_version();
-- Nothing is added to a version that others read already.
create function keep_fee_version_whole() returns trigger language plpgsql as $$
begin
  if not exists (select from fee_versions v where v.id = new.version_id and v.made_in = pg_current_xact_id()) then
    raise exception 'A version of fee settings is never changed: save a new one' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger kept_whole before insert on fee_prices for each row execute function keep_fee_version_whole();
create trigger kept_whole before insert on fee_due_dates for each row execute function keep_fee_version_whole();
create trigger kept_whole before insert on fee_fines for each row execute function keep_fee_version_whole();
create trigger kept_whole before insert on fee_accounts for each row execute function keep_fee_version_whole();
create trigger kept_whole before insert on fee_fine_steps for each row execute function keep_fee_version_whole();
select audit_table('fee_versions', array['made_in']);
