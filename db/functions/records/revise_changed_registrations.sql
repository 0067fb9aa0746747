-- A result counts once it is settled: approved by control, or of a course that was left (Withdrawn, ForcedWithdrawn, Excused:
-- 17592186047488). What is not settled concerns the row of its own term alone.
create or replace function revise_changed_registrations() returns trigger language plpgsql as $$
declare
  students integer[];
  of_terms integer[];
  laters boolean[];
begin
  select array_agg(o.student_id), array_agg(o.term_id),
      array_agg(f.control_status in ('Approved', 'Published', 'Frozen') or o.status & 17592186047488 <> 0)
    into students, of_terms, laters
  from old_rows o join offerings f on f.id = o.offering_id;
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;
