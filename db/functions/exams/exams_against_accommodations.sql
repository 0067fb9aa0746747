-- Placed exams that lie ahead and do not hold what a student of theirs was granted. `what`: `student` writes another exam before the end of
-- this one; `hall`: no hall, or not that of the student's seat, is held as long; `room`: there is no room for the student alone.
create or replace function exams_against_accommodations(exams integer[])
returns table (exam_schedule_id integer, accommodation_id integer, registration_id integer, what text) language sql stable as $$
  with due as materialized (
    select x.* from exam_accommodated x where x.exam_id = any(exams) and lower(x.during) > now() at time zone university_zone()),
  numbered as (select d.*, row_number() over (partition by d.exam_schedule_id, d.own_room, d.helper order by d.minutes desc, d.registration_id) as place from due d)
  select d.exam_schedule_id, d.accommodation_id, d.registration_id, 'student' from due d where d.minutes > 0 and exists (
    select from registrations q join exam_schedules o on o.offering_id = q.offering_id and o.removed_at is null and o.during && d.during
      and o.id <> d.exam_schedule_id where q.student_id = d.student_id and q.term_id = d.term_id and sits_exam(q.status))
  union all
  select d.exam_schedule_id, d.accommodation_id, d.registration_id, 'hall' from due d where d.minutes > 0 and not d.own_room and not exists (
    select from exam_schedule_locations l where l.exam_schedule_id = d.exam_schedule_id and not l.own_room and l.extra >= d.minutes
      and not exists (select from exam_seats z where z.exam_schedule_id = d.exam_schedule_id and z.registration_id = d.registration_id
        and z.location_id <> l.location_id))
  union all
  -- As many rooms, with the same help and as long, as there are students: those who need one longest are counted first.
  select d.exam_schedule_id, d.accommodation_id, d.registration_id, 'room' from numbered d where d.own_room and (
    (select count(*) from exam_schedule_locations l where l.exam_schedule_id = d.exam_schedule_id and l.own_room
      and l.helper is not distinct from d.helper and l.extra >= d.minutes) < d.place
    or exists (select from exam_seats z join exam_schedule_locations l on l.exam_schedule_id = z.exam_schedule_id and l.location_id = z.location_id
      where z.exam_schedule_id = d.exam_schedule_id and z.registration_id = d.registration_id and not l.own_room))
$$;
