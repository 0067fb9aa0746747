-- The last minute of a day at the university: what is due on a day may be done until then.
create or replace function day_ends(day date) returns timestamptz language sql stable as $$
  select (day + time '23:59') at time zone university_zone()
$$;
