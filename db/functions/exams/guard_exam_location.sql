create or replace function guard_exam_location() returns trigger language plpgsql as $$
begin
  if exists (select from exam_halls h join exams e on e.id = h.exam_id and e.removed_at is null
      join terms t on t.id = e.term_id and t.end_date >= (now() at time zone university_zone())::date
      where h.location_id = new.id and h.seats > new.capacity) then
    raise exception using errcode = '23514', constraint = 'location_capacity_exams', message = 'an exam uses more seats of it';
  end if;
  return new;
end $$;
