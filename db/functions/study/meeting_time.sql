-- When a period of the teaching day is on a day: at its Ramadan time where that applies, on the days of Ramadan as the calendar has
-- them (on all days where it has none).
create or replace function meeting_time(day date, slot integer) returns tsrange language sql stable as $$
  select case when x.ramadan then tsrange(day + s.ramadan_start_time, day + s.ramadan_end_time)
    else tsrange(day + s.start_time, day + s.end_time) end
  from slots s cross join lateral (select exists (select from ramadan_status r where r.kind = 'slots' and r.is_ramadan)
    and (exists (select from calendar_events e where e.layer = 'ramadan' and e.removed_at is null and day between e.start_date and e.end_date)
      or not exists (select from calendar_events e where e.layer = 'ramadan' and e.removed_at is null)) as ramadan) as x
  where s.id = slot
$$;
