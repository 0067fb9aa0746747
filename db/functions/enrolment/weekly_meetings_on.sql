-- The weekly meetings that take place on a day, each in its room and at its time of that day: neither those of days without lectures
-- and of exam weeks, nor those that were cancelled.
create or replace function weekly_meetings_on(on_day date)
returns table (meeting_id integer, offering_id integer, location_id integer, held tsrange) language sql stable as $$
  with times as materialized (select s.id, meeting_time(on_day, s.id) as held from slots s),
  placed as (
    select s.id, s.offering_id, s.slot_id, s.location_id from terms t join offering_slots s on s.term_id = t.id
    where on_day between t.start_date and t.end_date and t.removed_at is null and s.day = week_place(on_day)
      and not exists (select from meeting_moves m where m.meeting_id = s.id and m.held_until >= on_day)
    union all
    select m.meeting_id, s.offering_id, m.slot_id, m.location_id from meeting_moves m join offering_slots s on s.id = m.meeting_id
    where on_day between m.held_from and m.held_until and m.day = week_place(on_day))
  select p.id, p.offering_id, p.location_id, q.held
  from placed p join offerings o on o.id = p.offering_id and o.removed_at is null join times q on q.id = p.slot_id
  where not exists (select from calendar_events e where e.removed_at is null and e.no_teaching and on_day between e.start_date and e.end_date
      and (e.faculty_id is null or e.faculty_id = o.faculty_id))
    and not exists (select from exam_weeks w where w.term_id = o.term_id and w.removed_at is null and on_day between w.start_date and w.end_date
      and (w.faculty_id is null or w.faculty_id = o.faculty_id) and (w.level is null or w.level = o.level))
    and not exists (select from meeting_occurrences c where c.offering_slot_id = p.id and c.date = on_day and c.cancelled_at is not null)
$$;
