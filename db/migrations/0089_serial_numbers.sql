-- Serial numbers without gaps: one row per series and period (a year, a term). Whoever takes the next number holds the row
-- until the end of the transaction, so that a number that was rolled back is the next one's, and two never get the same.

create table serial_numbers (
  series text not null,
  -- '2026', '2026-1'; empty where numbers go on for ever.
  period text not null,
  last integer not null constraint serial_numbers_last check (last > 0),
  primary key (series, period)
);

-- A number that stands on something is never given again: the row only goes forward by one, and stays.
create function refuse_serial_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.last = old.last + 1 and (new.series, new.period) = (old.series, old.period) then
    return new;
  end if;
  if tg_op = 'INSERT' and new.last = 1 then
    return new;
  end if;
  raise exception 'Serial numbers only go on, one by one' using errcode = 'insufficient_privilege';
end $$;
create trigger only_forward before insert or update or delete on serial_numbers
  for each row execute function refuse_serial_change();
create trigger only_forward_truncate before truncate on serial_numbers
  for each statement execute function refuse_serial_change();

-- The next number of a series. Numbers of one series are given one after the other: the row is held until the end.
create function take_serial(of_series text, of_period text) returns integer language sql as $$
  insert into serial_numbers as s (series, period, last) values (of_series, of_period, 1)
  on conflict (series, period) do update set last = s.last + 1
  returning last
$$;

-- The time zone in which the university lives: its year begins and its mornings are there.
create function university_zone() returns text language sql stable as $$
  select coalesce((select nullif(value #>> '{}', '') from settings where key = 'time_zone'), 'Africa/Cairo')
$$;
