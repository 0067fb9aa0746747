create or replace function guard_moved_exam_students() returns trigger language plpgsql as $$
declare
  clash record;
begin
  if not exists (select from new_rows n full join old_rows o on o.id = n.id where n.during is distinct from o.during) then return null; end if;
  perform hold_exam_plan(array(select e.term_id from new_rows n join exams e on e.id = n.exam_id));
  -- Halls and people go along; who is off the board has none.
  delete from exam_schedule_locations l using new_rows n where l.exam_schedule_id = n.id and n.during is null;
  -- Halls are held as much longer as before; their people and seats follow them.
  update exam_schedule_locations l set during = tsrange(lower(n.during), upper(n.during) + make_interval(mins => l.extra)) from new_rows n
    where l.exam_schedule_id = n.id and n.during is not null
      and l.during <> tsrange(lower(n.during), upper(n.during) + make_interval(mins => l.extra));
  select n.id, o.id as other into clash
    from (select n.* from new_rows n full join old_rows b on b.id = n.id where b.during is distinct from n.during offset 0) n
      join registrations r on r.offering_id = n.offering_id and sits_exam(r.status)
      join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
      join exam_schedules o on o.offering_id = q.offering_id and o.removed_at is null and o.during && n.during and o.id <> n.id
    where n.during is not null limit 1;
  if found then
    raise exception using errcode = '23P01', constraint = 'exam_student_clash',
      message = format('schedules %s and %s share students at the same time', clash.id, clash.other);
  end if;
  perform refuse_longer_clash(array(select n.id from (select n.* from new_rows n full join old_rows b on b.id = n.id
    where b.during is distinct from n.during offset 0) n where n.during is not null));
  return null;
end $$;
