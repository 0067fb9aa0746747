-- Scholarships and discounts: what there is, and what was granted to whom.
select create_lookup('scholarships');
alter table scholarships
  -- Given by hand, or by what is known of a student.
  add column basis text not null check (basis in ('manual', 'percentage', 'gpa', 'rank', 'sibling')),
  -- From here on, and up to here where that is said: percent of the school certificate, GPA, place in the rank, which child.
  add column from_value numeric(6, 2) check (from_value >= 0),
  add column to_value numeric(6, 2) check (to_value >= 0),
  -- For whom: of one year, bylaw, faculty, level, or of all.
  add column year_id integer references years,
  add column bylaw_id integer references bylaws,
  add column faculty_id integer references faculties,
  add column level smallint check (level between 1 and 12),
  add column percent numeric(5, 2) check (percent > 0 and percent <= 100),
  add column amount bigint check (amount > 0),
  add column currency text check (currency in ('EGP', 'USD')),
  add column types text[] not null check (cardinality(types) > 0
    and types <@ array['tuition', 'hours', 'summer', 'certificates', 'services', 'exams']),
  -- Lower ones are taken off first.
  add column priority smallint not null default 100 check (priority between 1 and 1000),
  add column is_active boolean not null default true,
  add constraint scholarship_one_of check (num_nonnulls(percent, amount) = 1),
  add constraint scholarship_amount_currency check ((amount is null) = (currency is null)),
  add constraint scholarship_from_to check (from_value <= to_value),
  add constraint scholarship_condition check ((basis = 'manual') = (from_value is null));
create index scholarships_year on scholarships (year_id);
create index scholarships_bylaw on scholarships (bylaw_id);
create index scholarships_faculty on scholarships (faculty_id);
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
  student_id integer not null references students,
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
create function time_of_grant() returns trigger language plpgsql as $$
begin
  select daterange(f.start_date, u.end_date, '[]') into new.during from years f, years u
    where f.id = new.year_id and u.id = new.until_year_id and f.start_date <= u.start_date;
  if new.during is null then
    raise exception using errcode = '23514', constraint = 'grant_years_order', message = 'it ends before it begins';
  end if;
  return new;
end $$;
create trigger time_of_grant before insert or update of year_id, until_year_id on scholarship_grants
  for each row execute function time_of_grant();
-- What ended stays ended, and what was granted keeps its terms.
create function keep_grant() returns trigger language plpgsql as $$
begin
  if old.status <> 'applied' or (new.scholarship_id, new.percent, new.amount, new.currency, new.types, new.item_ids, new.year_id)
      is distinct from (old.scholarship_id, old.percent, old.amount, old.currency, old.types, old.item_ids, old.year_id) then
    raise exception using errcode = '23514', constraint = 'grant_kept', message = 'a grant keeps its terms';
  end if;
  return new;
end $$;
create trigger keep_grant before update of scholarship_id, percent, amount, currency, types, item_ids, year_id, status on scholarship_grants
  for each row when (old is distinct from new) execute function keep_grant();
select audit_table('scholarship_grants');
