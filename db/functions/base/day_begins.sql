-- When a day begins and ends for the university. `date::timestamptz` is midnight of the session's zone: two in the morning in Cairo.
create or replace function day_begins(day date) returns timestamptz language sql stable as $$
  select day::timestamp at time zone university_zone()
$$;
