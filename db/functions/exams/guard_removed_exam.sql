-- An exam that is published, or of which something is placed, is not removed.
create or replace function guard_removed_exam() returns trigger language plpgsql as $$
begin
  if new.status = 'published' or exists (select from exam_schedules s where s.exam_id = new.id and s.during is not null) then
    raise exception using errcode = '23514', constraint = 'exam_has_schedule', message = 'the exam has a schedule';
  end if;
  return new;
end $$;
