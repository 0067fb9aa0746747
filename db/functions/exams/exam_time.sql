-- When a slot is held on a day: at its Ramadan time where that applies, on the days of Ramadan as the calendar has them
-- (on all days where it has none).
create or replace function exam_time(day date, slot integer, minutes integer) returns tsrange language sql stable as $$
  select tsrange(day + b.first, least(day + b.last, day + b.first + make_interval(mins => minutes)))
  from exam_slots s
    cross join lateral (select exists (select from ramadan_status r where r.kind = 'exam_slots' and r.is_ramadan)
      and (exists (select from calendar_events e where e.layer = 'ramadan' and e.removed_at is null and day between e.start_date and e.end_date)
        or not exists (select from calendar_events e where e.layer = 'ramadan' and e.removed_at is null)) as ramadan) as x
    cross join lateral (select case when x.ramadan then s.ramadan_start_time else s.start_time end as first,
      case when x.ramadan then s.ramadan_end_time else s.end_time end as last) as b
  where s.id = slot
$$;
