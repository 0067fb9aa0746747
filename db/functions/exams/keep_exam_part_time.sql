-- The time of halls and people is that of their schedule.
create or replace function keep_exam_part_time() returns trigger language plpgsql as $$
declare
  of_exam integer;
begin
  select s.during, s.exam_id into new.during, of_exam from exam_schedules s where s.id = new.exam_schedule_id for share;
  if tg_table_name = 'exam_schedule_locations' then new.exam_id := of_exam; end if;
  if new.during is null then
    raise exception using errcode = '23514', constraint = 'exam_not_placed', message = 'halls and people come with a day and slot';
  end if;
  return new;
end $$;
