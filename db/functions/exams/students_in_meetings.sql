-- Who of those who sit an exam is taught in its slots, in which meeting.
create or replace function students_in_meetings(of_exam integer)
returns table (on_date date, exam_slot_id integer, meeting_id integer, student_id integer) language sql stable as $$
  with held as materialized (select h.on_date, h.exam_slot_id, h.meeting_id from meetings_of_exam(of_exam) h),
  sitting as materialized (select distinct r.student_id, r.term_id from exam_schedules s
    join registrations r on r.offering_id = s.offering_id and sits_exam(r.status)
    where s.exam_id = of_exam and s.removed_at is null and exists (select from held)),
  -- Who attends what is looked up from those who sit the exam, whatever else is taught.
  attending as materialized (select distinct s.student_id, rs.offering_slot_id from sitting s
    join registrations q on q.student_id = s.student_id and q.term_id = s.term_id and sits_exam(q.status)
    join registration_slots rs on rs.registration_id = q.id)
  select h.on_date, h.exam_slot_id, h.meeting_id, a.student_id from held h join attending a on a.offering_slot_id = h.meeting_id
$$;
