-- When times of slots, the season or the days of Ramadan change, so do the exams.
create or replace function follow_exam_times() returns trigger language plpgsql as $$
begin
  update exam_schedules s set during = null
    where s.during is not null and s.during is distinct from exam_time(s.on_date, s.exam_slot_id, s.duration)
      and lower(s.during) > now() at time zone university_zone();
  return null;
end $$;
