create or replace function hold_credit(ids integer[]) returns void language plpgsql as $$
begin
  perform from course_credits k where k.id = any (ids) order by k.id for share;
end $$;
