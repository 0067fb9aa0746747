create or replace function hijri_months_follow() returns trigger language plpgsql as $$
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
