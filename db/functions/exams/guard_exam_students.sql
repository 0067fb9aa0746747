-- No student has two exams at once. A student who is registered into a clash afterwards is told of: what is moved then must not
-- make another.
create or replace function guard_exam_students() returns trigger language plpgsql as $$
declare
  clash record;
begin
  perform hold_exam_plan(array(select e.term_id from new_rows n join exams e on e.id = n.exam_id where n.during is not null));
  select n.id, o.id as other into clash
    from new_rows n join registrations r on r.offering_id = n.offering_id and sits_exam(r.status)
      join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
      join exam_schedules o on o.offering_id = q.offering_id and o.removed_at is null and o.during && n.during and o.id <> n.id
    where n.during is not null limit 1;
  if found then
    raise exception using errcode = '23P01', constraint = 'exam_student_clash',
      message = format('schedules %s and %s share students at the same time', clash.id, clash.other);
  end if;
  perform refuse_longer_clash(array(select n.id from new_rows n where n.during is not null));
  return null;
end $$;
