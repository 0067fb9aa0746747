-- A weekly meeting does not come into a hall in which a published exam is held then: not one that lies ahead, on a day on which the meeting
-- takes place.
create or replace function guard_weekly_hall() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.day, new.slot_id, new.location_id) is not distinct from (old.day, old.slot_id, old.location_id) then
    return null;
  end if;
  -- Who places an exam there at this moment is waited for.
  perform from locations where id = new.location_id and location_type <> 'online' for share;
  if found and exists (
      select from exam_schedule_locations l join exams e on e.id = l.exam_id and e.status = 'published' and e.removed_at is null
        join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
        join terms t on t.id = new.term_id and s.on_date between t.start_date and t.end_date
      where l.location_id = new.location_id and lower(l.during) > now() at time zone university_zone()
        and week_place(s.on_date) = new.day and l.during && meeting_time(s.on_date, new.slot_id)
        and s.on_date not in (select days_without_meetings(new.offering_id, s.on_date, s.on_date))
        and not exists (select from meeting_occurrences c where c.offering_slot_id = new.id and c.date = s.on_date and c.cancelled_at is not null)) then
    perform refuse_exam_beside_meeting(new.location_id);
  end if;
  return null;
end $$;
