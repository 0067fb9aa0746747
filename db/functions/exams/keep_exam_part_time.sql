-- The time of halls is that of their schedule, longer by as much as they are held for who has more time; that of people is the hall's.
create or replace function keep_exam_part_time() returns trigger language plpgsql as $$
declare
  of_exam integer;
begin
  select s.during, s.exam_id into new.during, of_exam from exam_schedules s where s.id = new.exam_schedule_id for share;
  if tg_table_name = 'exam_schedule_locations' then
    new.exam_id := of_exam;
    if new.during is not null then
      new.during := tsrange(lower(new.during), upper(new.during) + make_interval(mins => new.extra));
    end if;
  else
    new.during := coalesce((select l.during from exam_schedule_locations l
      where l.exam_schedule_id = new.exam_schedule_id and l.location_id = new.location_id), new.during);
  end if;
  if new.during is null then
    raise exception using errcode = '23514', constraint = 'exam_not_placed', message = 'halls and people come with a day and slot';
  end if;
  return new;
end $$;
