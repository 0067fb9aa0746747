-- The next number of a series. Numbers of one series are given one after the other: the row is held until the end.
create or replace function take_serial(of_series text, of_period text) returns integer language sql as $$
  insert into serial_numbers as s (series, period, last) values (of_series, of_period, 1)
  on conflict (series, period) do update set last = s.last + 1
  returning last
$$;
