-- When an exam ends for a student: later for who has more time.
create or replace function exam_end(schedule integer, student integer) returns timestamp language sql stable as $$
  select upper(s.during) + make_interval(mins => coalesce((select max(x.minutes) from exam_accommodated x
    where x.exam_schedule_id = s.id and x.student_id = student), 0)) from exam_schedules s where s.id = schedule
$$;
