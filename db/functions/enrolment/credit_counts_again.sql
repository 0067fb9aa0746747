-- Kept as credited, or as it was again: it counts.
create or replace function credit_counts_again() returns trigger language plpgsql as $$
begin
  perform prerequisites_regained(array_agg(distinct k.student_id))
  from (select n.kind, n.decision_id, o.now as was, n.now
      from old_rows o full join new_rows n using (kind, decision_id, fact, fact_id) offset 0) c
    join course_credits k on k.id = c.decision_id
  where c.kind = 'credit' and c.was is not null and c.now is null;
  return null;
end $$;
