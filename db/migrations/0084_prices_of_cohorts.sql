-- Prices as universities have them: of a cohort (the academic year of entry), of a course (its laboratory) or of courses that are
-- repeated, and hours that cost the same from so many to so many.
alter table fee_prices
  add column entry_year_id integer references years,
  add column course_id integer references courses,
  add column repeats boolean,
  -- Hours in hundredths, and what they cost in all.
  add column flat_from integer,
  add column flat_to integer,
  add column flat_amount bigint,
  add constraint fee_price_of_courses check ((course_id is null and repeats is null) or per in ('hour', 'course')),
  add constraint fee_price_flat check (num_nulls(flat_from, flat_to, flat_amount) = 3 or (num_nulls(flat_from, flat_to, flat_amount) = 0
    and per = 'hour' and flat_from between 0 and flat_to and flat_to <= 10000 and flat_amount between 0 and 100000000000));
create index fee_prices_entry_year on fee_prices (entry_year_id);
create index fee_prices_course on fee_prices (course_id);
drop index fee_prices_equal;
create unique index fee_prices_equal on fee_prices (version_id, item_id, nationality_group_id, program_id, bylaw_id, faculty_id, entry_year_id, level,
  course_id, repeats, (case when nationality_group_id is null then currency end)) nulls not distinct;

-- Invoices that would charge something else at the prices of today: somebody decides whether they follow. What they charged by
-- their own prices when that was found, and what they would.
create table price_outdated_invoices (
  invoice_id integer primary key references invoices,
  version_id integer not null references fee_versions,
  amount_before bigint not null,
  amount_now bigint not null,
  since timestamptz not null default now(),
  constraint price_outdated_differs check (amount_before <> amount_now)
);
create index price_outdated_invoices_version on price_outdated_invoices (version_id);
