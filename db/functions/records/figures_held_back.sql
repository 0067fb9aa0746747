-- The first term whose figures are not out, if any: nothing of it and of what follows is told. What holds it back is a
-- course that waits for control, or whose result is not yet shown, as `figures_out` says it for one term.
create or replace function figures_held_back(of_student integer, shown_from text) returns table (term_start date, term_id integer)
language sql stable parallel safe as $$
  select w.start_date, w.id
  from (
    select r.term_id from registrations r join offerings o on o.id = r.offering_id
    where r.student_id = of_student and r.status & 2305843016356855808 <> 0
      and not result_out(o.control_status, shown_from, r.status, r.total)
      and (o.control_status in ('Approved', 'Published', 'Frozen')
        or exists (select from student_terms x where x.student_id = of_student and x.term_id = r.term_id))
    -- Those that hold back are few: which of them is the first is asked afterwards.
    offset 0) held join terms w on w.id = held.term_id
  order by w.start_date, w.id limit 1
$$;
