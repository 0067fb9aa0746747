-- An exam uses no more seats of a hall than the hall has, and no fewer than are planned.
create or replace function guard_exam_hall() returns trigger language plpgsql as $$
declare
  most integer;
begin
  select case when location_type = 'online' then 10000 else capacity end into most from locations where id = new.location_id for no key update;
  if new.seats > most then
    raise exception using errcode = '23514', constraint = 'exam_hall_small', message = 'more seats than the hall has';
  end if;
  if tg_op = 'UPDATE' and new.seats < old.seats and exists (
      select from exam_schedule_locations l join exam_schedule_locations b
        on b.exam_id = l.exam_id and b.location_id = l.location_id and b.during @> lower(l.during)
      where l.exam_id = new.exam_id and l.location_id = new.location_id group by l.id having sum(b.seats) > new.seats) then
    raise exception using errcode = '23514', constraint = 'exam_hall_planned', message = 'more is planned there';
  end if;
  return new;
end $$;
