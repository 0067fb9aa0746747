-- A hall that is held longer, or no longer so: its time follows.
create or replace function keep_exam_hall_time() returns trigger language plpgsql as $$
begin
  select tsrange(lower(s.during), upper(s.during) + make_interval(mins => new.extra)) into new.during
    from exam_schedules s where s.id = new.exam_schedule_id;
  return new;
end $$;
