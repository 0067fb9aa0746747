-- A plan that nobody sees yet gives way: it is taught in its hall, and the exam has to go elsewhere before it is published.
create or replace function guard_published_halls() returns trigger language plpgsql as $$
declare
  hall integer;
begin
  perform from locations where id in (select l.location_id from exam_schedule_locations l where l.exam_id = new.id) order by id for no key update;
  select b.about into hall from exams_beside_meetings(array[new.id]) b where b.what = 'hall' limit 1;
  if hall is not null then perform refuse_exam_beside_meeting(hall); end if;
  return null;
end $$;
