-- Nobody who has more time still writes when another exam of theirs begins: of the schedules that were placed or moved.
create or replace function refuse_longer_clash(placed integer[]) returns void language plpgsql as $$
declare
  clash record;
begin
  select x.exam_schedule_id, o.id into clash
    from exam_accommodated x
      join registrations q on q.student_id = x.student_id and q.term_id = x.term_id and sits_exam(q.status)
      join exam_schedules o on o.offering_id = q.offering_id and o.removed_at is null and o.id <> x.exam_schedule_id and o.during && x.during
    where x.minutes > 0 and (x.exam_schedule_id = any(placed) or o.id = any(placed)) limit 1;
  if found then
    raise exception using errcode = '23P01', constraint = 'exam_student_longer',
      message = format('a student of schedule %s still writes when schedule %s begins', clash.exam_schedule_id, clash.id);
  end if;
end $$;
