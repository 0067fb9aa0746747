-- The time of a seat is that of its hall; nobody sits beyond the places of the hall, nor in the exam of another offering.
create or replace function keep_exam_seats() returns trigger language plpgsql as $$
begin
  update exam_seats s set during = l.during from new_rows n join exam_schedule_locations l
      on l.exam_schedule_id = n.exam_schedule_id and l.location_id = n.location_id
    where s.id = n.id and s.during is distinct from l.during;
  if exists (select from new_rows n join locations p on p.id = n.location_id where n.seat > p.capacity and p.location_type <> 'online') then
    raise exception using errcode = '23514', constraint = 'exam_seat_outside', message = 'the hall has no such seat';
  end if;
  if exists (select from new_rows n join exam_schedules x on x.id = n.exam_schedule_id join registrations r on r.id = n.registration_id
      where r.offering_id <> x.offering_id) then
    raise exception using errcode = '23514', constraint = 'exam_seat_other', message = 'the student sits another exam';
  end if;
  if exists (select from new_rows n join exam_schedule_locations l on l.exam_schedule_id = n.exam_schedule_id and l.location_id = n.location_id
      and l.own_room where not exists (select from exam_accommodated x where x.registration_id = n.registration_id
        and x.exam_schedule_id = n.exam_schedule_id and x.own_room)) then
    raise exception using errcode = '23514', constraint = 'exam_seat_room', message = 'the room is for a student who has one alone';
  end if;
  if exists (select from (select distinct exam_schedule_id, location_id from new_rows) n
      join exam_schedule_locations l on l.exam_schedule_id = n.exam_schedule_id and l.location_id = n.location_id
      where (select count(*) from exam_seats s where s.exam_schedule_id = l.exam_schedule_id and s.location_id = l.location_id) > l.seats) then
    raise exception using errcode = '23514', constraint = 'exam_seats_full', message = 'more students than the exam has seats in the hall';
  end if;
  return null;
end $$;
