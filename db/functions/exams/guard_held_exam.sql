-- What was held, and of which something is written down, stays where it was.
create or replace function guard_held_exam() returns trigger language plpgsql as $$
begin
  if (new.on_date, new.exam_slot_id, new.removed_at) is distinct from (old.on_date, old.exam_slot_id, old.removed_at)
      and old.during is not null and upper(old.during) < now() at time zone university_zone() and exam_recorded(old.id) > 0 then
    raise exception using errcode = '23514', constraint = 'exam_schedule_held', message = 'the exam was held';
  end if;
  return new;
end $$;
