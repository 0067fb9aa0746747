-- When it ends: on the day after, where it ends before it begins.
create or replace function duty_ends(day date, from_time time, to_time time) returns timestamptz language sql stable as $$
  select (day + case when to_time <= from_time then 1 else 0 end + to_time) at time zone university_zone()
$$;
