-- A new registration asked three times what mostly is not so: whether control holds the offering, whether the term is
-- finished, whether the student waits for a place. It asks once, and looks closer only where one of them is so.
create or replace function look_at_new_registrations() returns trigger language plpgsql as $$
declare
  held record;
  students integer[];
  of_terms integer[];
  laters boolean[];
begin
  if not exists (
    select from new_rows n join offerings o on o.id = n.offering_id
    where o.control_status <> 'Draft'
      or exists (select from student_terms t where t.student_id = n.student_id and t.term_id = n.term_id)
      or exists (select from wait_list w where w.student_id = n.student_id and w.state = 'waiting')) then
    return null;
  end if;

  -- Registrations made refer to their offering, whose row is thereby locked against a step of control: here it is read.
  for held in select o.id, o.control_status from offerings o
    where o.control_status <> 'Draft' and o.id in (select offering_id from new_rows)
  loop
    if not control_allows(held.control_status, 'enrolment', current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, 'enrolment');
    end if;
  end loop;

  -- Who gets into a course waits for it no longer.
  update wait_list w set state = 'left', moved_at = now()
    from new_rows n, offerings o
    where w.student_id = n.student_id and w.state = 'waiting' and o.id = w.offering_id
      and o.term_id = n.term_id and o.course_id = n.course_id;

  -- A result counts once it is settled; what is not settled concerns the row of its own term alone.
  select array_agg(x.student_id), array_agg(x.term_id), array_agg(x.settled) into students, of_terms, laters
  from (select n.student_id, n.term_id, o.control_status in ('Approved', 'Published', 'Frozen') as settled
    from new_rows n join offerings o on o.id = n.offering_id) x
  where x.settled or exists (select from student_terms t where t.student_id = x.student_id and t.term_id = x.term_id);
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;
