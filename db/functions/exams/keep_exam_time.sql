-- Keeps the time of a schedule. What is locked is not moved, and of a published exam nothing is.
create or replace function keep_exam_time() returns trigger language plpgsql as $$
declare
  state text;
begin
  if new.removed_at is not null then new.on_date := null; new.exam_slot_id := null; end if;
  new.during := case when new.on_date is not null then exam_time(new.on_date, new.exam_slot_id, new.duration) end;
  if tg_op = 'UPDATE' and (new.on_date, new.exam_slot_id, new.removed_at, new.offering_id, new.exam_id)
      is not distinct from (old.on_date, old.exam_slot_id, old.removed_at, old.offering_id, old.exam_id) then
    return new;
  end if;
  if tg_op = 'UPDATE' and (new.offering_id, new.exam_id) is distinct from (old.offering_id, old.exam_id) then
    raise exception using errcode = '23514', constraint = 'exam_schedule_fixed', message = 'a schedule keeps its offering and exam';
  end if;
  -- Who publishes at this moment is waited for.
  select e.status into state from exams e where e.id = new.exam_id for share;
  if state = 'published' then
    raise exception using errcode = '23514', constraint = 'exam_published', message = 'the exam is published';
  end if;
  if tg_op = 'UPDATE' and old.is_locked and new.is_locked then
    raise exception using errcode = '23514', constraint = 'exam_schedule_locked', message = 'the schedule is locked';
  end if;
  return new;
end $$;
