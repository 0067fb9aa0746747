-- A meeting that is made up takes its room and its instructors on that day: exams know it, whoever plans them.
-- Meetings that are made up within a time of one day, by their regular or their Ramadan time.
create or replace function meetings_made_up(at tsrange)
returns table (meeting_id integer, offering_id integer, location_id integer) language sql stable as $$
  select x.offering_slot_id, x.offering_id, x.location_id from meeting_occurrences x join slots p on p.id = x.slot_id
    join offerings o on o.id = x.offering_id and o.removed_at is null
  where x.date = lower(at)::date and x.makes_up_id is not null and x.cancelled_at is null
    and (tsrange(x.date + p.start_time, x.date + p.end_time) && at
      or tsrange(x.date + p.ramadan_start_time, x.date + p.ramadan_end_time) && at)
$$;
