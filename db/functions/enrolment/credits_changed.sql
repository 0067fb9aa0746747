-- Rows of terms after a credited course stand on it as on a result; and what was credited again.
create or replace function credits_changed() returns trigger language plpgsql as $$
declare
  ids integer[];
  students integer[];
  of_terms integer[];
  were jsonb[];
begin
  if tg_op = 'DELETE' then
    select array_agg(o.id), array_agg(o.student_id), array_agg(o.after_term_id), array_agg(credit_value(row(o.*)::course_credits)) into ids, students, of_terms, were
    from old_rows o;
  else
    select array_agg(n.id), array_agg(n.student_id), array_agg(n.after_term_id), array_agg(credit_value(row(o.*)::course_credits)) into ids, students, of_terms, were
    from old_rows o full join new_rows n on n.id = o.id
    where (o.course_id, o.credit_hours, o.letter, o.points, o.mark, o.maximum, o.counts_in_gpa)
      is distinct from (n.course_id, n.credit_hours, n.letter, n.points, n.mark, n.maximum, n.counts_in_gpa);
  end if;
  if ids is not null then
    perform facts_changed('credit', ids);
    perform prerequisites_lost_by_credits(students, ids, were);
    -- From the first term on where it counts from the beginning.
    perform revise_terms(students, array(select coalesce(x.term, (select t.id from terms t order by t.start_date, t.id limit 1))
      from unnest(of_terms) with ordinality as x (term, place) order by x.place), array_fill(true, array[cardinality(ids)]));
  end if;
  return null;
end $$;
