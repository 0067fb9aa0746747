-- Placed exams that lie ahead and stand beside a meeting: it is taught in a hall of theirs, by one of their invigilators, or to students of
-- theirs. `what` is hall, instructor or students; `about` the hall or the person; `count` how many students.
create or replace function exams_beside_meetings(exams integer[])
returns table (exam_schedule_id integer, meeting_id integer, what text, about integer, count integer) language sql stable as $$
  with placed as materialized (
    select s.id, s.offering_id, s.on_date, s.during from exam_schedules s
    where s.exam_id = any(exams) and s.removed_at is null and lower(s.during) > now() at time zone university_zone()),
  days as (select distinct p.on_date from placed p),
  -- What is held on these days. A meeting that is made up is held at its regular or its Ramadan time, whatever will apply.
  held as materialized (
    select d.on_date, m.meeting_id, m.location_id, m.held from days d cross join lateral weekly_meetings_on(d.on_date) m
    union
    select d.on_date, x.offering_slot_id, x.location_id, z.held from days d
      join meeting_occurrences x on x.date = d.on_date and x.makes_up_id is not null and x.cancelled_at is null
      join offerings o on o.id = x.offering_id and o.removed_at is null join slots q on q.id = x.slot_id
      cross join lateral (values (tsrange(x.date + q.start_time, x.date + q.end_time)),
        (tsrange(x.date + q.ramadan_start_time, x.date + q.ramadan_end_time))) as z (held)),
  -- Who sits where is far fewer than what is taught: from there on.
  attending as materialized (
    select p.id, p.on_date, p.during, r.student_id, rs.offering_slot_id
    from placed p join registrations r on r.offering_id = p.offering_id and sits_exam(r.status)
      join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and sits_exam(q.status)
      join registration_slots rs on rs.registration_id = q.id
    where exists (select from held))
  select distinct p.id, h.meeting_id, 'hall', l.location_id, 0
    from placed p join exam_schedule_locations l on l.exam_schedule_id = p.id
      join locations r on r.id = l.location_id and r.location_type <> 'online'
      join held h on h.location_id = l.location_id and h.on_date = p.on_date and h.held && p.during
  union all
  select distinct p.id, h.meeting_id, 'instructor', v.instructor_id, 0
    from placed p join exam_schedule_instructors v on v.exam_schedule_id = p.id
      join offering_slot_instructors i on i.instructor_id = v.instructor_id
      join held h on h.meeting_id = i.offering_slot_id and h.on_date = p.on_date and h.held && p.during
  union all
  select a.id, h.meeting_id, 'students', null, count(distinct a.student_id)::int
    from attending a join held h on h.meeting_id = a.offering_slot_id and h.on_date = a.on_date and h.held && a.during
    group by a.id, h.meeting_id
$$;
