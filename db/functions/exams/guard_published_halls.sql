-- A plan that nobody sees yet gives way: a meeting is made up in its hall, and the exam has to go elsewhere before it is published.
create or replace function guard_published_halls() returns trigger language plpgsql as $$
declare
  hall integer;
begin
  perform from locations where id in (select l.location_id from exam_schedule_locations l where l.exam_id = new.id) order by id for no key update;
  select l.location_id into hall from exam_schedule_locations l join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
    join locations p on p.id = l.location_id and p.location_type <> 'online'
    where l.exam_id = new.id and lower(l.during) > now() at time zone university_zone()
      and exists (select from meetings_made_up(l.during) m where m.location_id = l.location_id) limit 1;
  if hall is not null then perform refuse_exam_beside_meeting(hall); end if;
  return null;
end $$;
