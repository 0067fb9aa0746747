-- The time zone in which the university lives: its year begins and its mornings are there.
create or replace function university_zone() returns text language sql stable as $$
  select coalesce((select nullif(value #>> '{}', '') from settings where key = 'time_zone'), 'Africa/Cairo')
$$;
