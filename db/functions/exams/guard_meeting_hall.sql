-- And a meeting comes into a hall in which no published exam is held then.
create or replace function guard_meeting_hall() returns trigger language plpgsql as $$
begin
  perform from locations where id = new.location_id for no key update;
  if exists (select from exam_schedule_locations l join exams e on e.id = l.exam_id and e.status = 'published'
      join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
      join slots p on p.id = new.slot_id join locations r on r.id = l.location_id and r.location_type <> 'online'
      where l.location_id = new.location_id
        and (l.during && tsrange(new.date + p.start_time, new.date + p.end_time)
          or l.during && tsrange(new.date + p.ramadan_start_time, new.date + p.ramadan_end_time))) then
    perform refuse_exam_beside_meeting(new.location_id);
  end if;
  return null;
end $$;
