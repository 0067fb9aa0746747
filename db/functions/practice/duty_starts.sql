-- When a duty of a day begins, as an instant.
create or replace function duty_starts(day date, from_time time) returns timestamptz language sql stable as $$
  select (day + from_time) at time zone university_zone()
$$;
