-- Hijri months that began on another day than Umm al-Qura reckons, in countries that follow the sighting of the moon.
create table hijri_months (
  id integer generated always as identity primary key,
  year smallint not null constraint hijri_months_year check (year between 1301 and 1599),
  month smallint not null constraint hijri_months_of_year check (month between 1 and 12),
  first_day date not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint hijri_months_month unique (year, month)
);
select audit_table('hijri_months');

-- Months follow each other and have 29 or 30 days. Who writes them waits for who else does.
create function lock_hijri_months() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('hijri months'));
  return null;
end $$;
create trigger lock_months before insert or update or delete on hijri_months for each statement execute function lock_hijri_months();
create function hijri_months_follow() returns trigger language plpgsql as $$
begin
  if exists (
    select from (
      select first_day - lag(first_day) over w as days, (year * 12 + month) - lag(year * 12 + month) over w as months
      from hijri_months window w as (order by year, month)
    ) x where days not between 29 * months and 30 * months or months = 1 and days not in (29, 30)
  ) then
    raise exception using errcode = '23514', constraint = 'hijri_follow', table = 'hijri_months',
      message = 'months of the Hijri calendar have 29 or 30 days';
  end if;
  return null;
end $$;
create constraint trigger months_follow after insert or update on hijri_months deferrable initially immediate
  for each row execute function hijri_months_follow();

-- Whether a person wants Hijri dates beside the others; null: as the university shows them.
alter table users add column show_hijri boolean;
