-- Neither is about somebody of another offering.
create or replace function guard_exam_day() returns trigger language plpgsql as $$
begin
  if not exists (select from exam_schedules s join registrations r on r.offering_id = s.offering_id
      where s.id = new.exam_schedule_id and r.id = new.registration_id) then
    raise exception using errcode = '23514', constraint = 'exam_seat_other', message = 'the student sits another exam';
  end if;
  return new;
end $$;
