create or replace function refuse_exam_beside_meeting(hall integer) returns void language plpgsql as $$
begin
  raise exception using errcode = '23P01', constraint = 'exam_hall_meeting', message = format('it is taught in hall %s then', hall);
end $$;
