-- A registration that had been dropped or excused and comes back. 549755815936 is Dropped and Excused.
create or replace function end_places_of_returned() returns trigger language plpgsql as $$
begin
  update wait_list w set state = 'left', moved_at = now()
    from offerings o
    where w.student_id = new.student_id and w.state = 'waiting' and o.id = w.offering_id
      and o.term_id = new.term_id and o.course_id = new.course_id;
  return null;
end $$;
