create or replace function time_of_grant() returns trigger language plpgsql as $$
begin
  select daterange(f.start_date, u.end_date, '[]') into new.during from years f, years u
    where f.id = new.year_id and u.id = new.until_year_id and f.start_date <= u.start_date;
  if new.during is null then
    raise exception using errcode = '23514', constraint = 'grant_years_order', message = 'it ends before it begins';
  end if;
  return new;
end $$;
