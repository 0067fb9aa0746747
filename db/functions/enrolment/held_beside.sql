-- What is held on a day in this term beside a meeting: every meeting that has a room, an instructor or a student in common with it,
-- with the period and the room of that day.
create or replace function held_beside(meeting integer, day date, room integer)
returns table (meeting_id integer, slot_id integer, location_id integer) language sql stable as $$
  with me as materialized (select * from offering_slots where id = meeting),
  near as materialized (
    select s.id from offering_slots s, me where s.term_id = me.term_id and s.id <> me.id and room is not null
      and (s.location_id = room or s.id in (select m.meeting_id from meeting_moves m where m.location_id = room))
    union select o.offering_slot_id from offering_slot_instructors i join offering_slot_instructors o using (instructor_id)
      join offering_slots s on s.id = o.offering_slot_id, me
      where i.offering_slot_id = meeting and s.term_id = me.term_id and s.id <> me.id
    union select o.offering_slot_id from registration_slots m join registrations r on r.id = m.registration_id
      join registrations k on k.student_id = r.student_id and k.term_id = r.term_id join registration_slots o on o.registration_id = k.id
      where m.offering_slot_id = meeting and o.offering_slot_id <> meeting)
  select s.id, h.slot_id, h.location_id from near n join offering_slots s on s.id = n.id
    join offerings f on f.id = s.offering_id and f.removed_at is null cross join meeting_places(s.id) h
    where h.day = week_place(held_beside.day) and held_beside.day between h.from_date and h.until_date
      and not exists (select from days_without_meetings(f.id, held_beside.day, held_beside.day))
      and not exists (select from meeting_occurrences x where x.offering_slot_id = s.id and x.date = held_beside.day and x.cancelled_at is not null)
  union all
  select x.offering_slot_id, x.slot_id, x.location_id from meeting_occurrences x
    where x.date = held_beside.day and x.makes_up_id is not null and x.cancelled_at is null and x.offering_slot_id <> meeting
$$;
