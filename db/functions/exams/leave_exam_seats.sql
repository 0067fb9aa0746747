-- An exam that moves to another day or slot leaves its seats; one whose slot is held at another time takes them along.
create or replace function leave_exam_seats() returns trigger language plpgsql as $$
begin
  delete from exam_seats where exam_schedule_id = new.id;
  return null;
end $$;
