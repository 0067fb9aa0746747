-- What of an exam's halls and of its people is not to be had in its slots for that, as its own closures are.
create or replace function closed_by_meetings(of_exam integer)
returns table (on_date date, exam_slot_id integer, location_id integer, instructor_id integer, meeting_id integer) language sql stable as $$
  with held as materialized (
    select d.on_date, t.exam_slot_id, m.meeting_id, m.location_id
    from exam_days d join exam_times t on t.exam_id = d.exam_id
      cross join lateral meetings_made_up(exam_time(d.on_date, t.exam_slot_id, null)) m
    where d.exam_id = of_exam)
  select h.on_date, h.exam_slot_id, h.location_id, null::integer, h.meeting_id from held h
    where h.location_id in (select x.location_id from exam_halls x join locations l on l.id = x.location_id and l.location_type <> 'online'
      where x.exam_id = of_exam)
  union all
  select h.on_date, h.exam_slot_id, null::integer, i.instructor_id, h.meeting_id
    from held h join offering_slot_instructors i on i.offering_slot_id = h.meeting_id
$$;
