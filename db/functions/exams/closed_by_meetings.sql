-- What of an exam's halls and of its people is not to be had in its slots because it is taught there and then, as its own closures are.
create or replace function closed_by_meetings(of_exam integer)
returns table (on_date date, exam_slot_id integer, location_id integer, instructor_id integer, meeting_id integer) language sql stable as $$
  with held as materialized (select * from meetings_of_exam(of_exam))
  select h.on_date, h.exam_slot_id, h.location_id, null::integer, h.meeting_id from held h
    where h.location_id in (select x.location_id from exam_halls x join locations l on l.id = x.location_id and l.location_type <> 'online'
      where x.exam_id = of_exam)
  union all
  select h.on_date, h.exam_slot_id, null::integer, i.instructor_id, h.meeting_id
    from held h join offering_slot_instructors i on i.offering_slot_id = h.meeting_id
$$;
