-- Seats and people of a hall go with its time.
create or replace function follow_exam_seats() returns trigger language plpgsql as $$
begin
  update exam_seats s set during = n.during from new_rows n
    where s.exam_schedule_id = n.exam_schedule_id and s.location_id = n.location_id and s.during <> n.during;
  -- Whoever invigilates stays as long as the hall is held. That nobody is in two halls is judged when all have moved.
  update exam_schedule_instructors v set during = n.during from new_rows n
    where v.exam_schedule_id = n.exam_schedule_id and v.location_id = n.location_id and v.during <> n.during;
  -- Fewer seats: those with the highest numbers are given up.
  delete from exam_seats where id in (select x.id from (select s.id, l.seats,
      row_number() over (partition by s.exam_schedule_id, s.location_id order by s.seat) as place
    from new_rows l join exam_seats s on s.exam_schedule_id = l.exam_schedule_id and s.location_id = l.location_id) x
    where x.place > x.seats);
  return null;
end $$;
