-- Who gets into a course, whichever way, waits for it no longer: the places of the student for that course in that term
-- end in the same transaction, and with them what was held for them. Who is moved from the queue is marked first.
create index wait_list_waiting_student on wait_list (student_id) where state = 'waiting';

create function end_places_of_new() returns trigger language plpgsql as $$
begin
  update wait_list w set state = 'left', moved_at = now()
    from new_rows n, offerings o
    where w.student_id = n.student_id and w.state = 'waiting' and o.id = w.offering_id
      and o.term_id = n.term_id and o.course_id = n.course_id;
  return null;
end $$;
create trigger places_end after insert on registrations referencing new table as new_rows
  for each statement execute function end_places_of_new();

-- A registration that had been dropped or excused and comes back. 549755815936 is Dropped and Excused.
create function end_places_of_returned() returns trigger language plpgsql as $$
begin
  update wait_list w set state = 'left', moved_at = now()
    from offerings o
    where w.student_id = new.student_id and w.state = 'waiting' and o.id = w.offering_id
      and o.term_id = new.term_id and o.course_id = new.course_id;
  return null;
end $$;
create trigger places_end_returned after update of status on registrations
  for each row when (old.status & 549755815936 <> 0 and new.status & 549755815936 = 0)
  execute function end_places_of_returned();
