-- What courses count as stands on the results with which they were passed: equivalences that somebody decided on while the
-- transfer waits, and the courses credited by it once it was executed.

select basis_goes_with('equivalences', 'equivalence');
select basis_goes_with('course_credits', 'credit');

-- A credited course, where another transfer credits it again.
create function fact_credit(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select k.id, jsonb_strip_nulls(jsonb_build_object('course', k.course_id, 'letter', k.letter, 'points', trim_scale(k.points),
    'total', trim_scale(k.mark), 'maximum', k.maximum, 'passed', true, 'hours', trim_scale(k.credit_hours), 'in_gpa', k.counts_in_gpa))
  from course_credits k where k.id = any (ids)
$$;
create function hold_credit(ids integer[]) returns void language plpgsql as $$
begin
  perform from course_credits k where k.id = any (ids) order by k.id for share;
end $$;

-- Rows of terms after a credited course stand on it as on a result; and what was credited again.
create function credits_changed() returns trigger language plpgsql as $$
declare
  ids integer[];
  students integer[];
  of_terms integer[];
begin
  if tg_op = 'DELETE' then
    select array_agg(o.id), array_agg(o.student_id), array_agg(o.after_term_id) into ids, students, of_terms from old_rows o;
  else
    select array_agg(n.id), array_agg(n.student_id), array_agg(n.after_term_id) into ids, students, of_terms
    from old_rows o full join new_rows n on n.id = o.id
    where (o.course_id, o.credit_hours, o.letter, o.points, o.mark, o.maximum, o.counts_in_gpa)
      is distinct from (n.course_id, n.credit_hours, n.letter, n.points, n.mark, n.maximum, n.counts_in_gpa);
  end if;
  if ids is not null then
    perform facts_changed('credit', ids);
    -- From the first term on where it counts from the beginning.
    perform revise_terms(students, array(select coalesce(x.term, (select t.id from terms t order by t.start_date, t.id limit 1))
      from unnest(of_terms) with ordinality as x (term, place) order by x.place), array_fill(true, array[cardinality(ids)]));
  end if;
  return null;
end $$;
create trigger basis_update after update on course_credits referencing old table as old_rows new table as new_rows
  for each statement execute function credits_changed();
create trigger basis_delete after delete on course_credits referencing old table as old_rows
  for each statement execute function credits_changed();

-- What was decided and credited so far stood on what was noted with the equivalence then.
create function stood_then(now_is jsonb, grade text, earned numeric) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(now_is || jsonb_build_object('letter', grade, 'points', trim_scale(earned), 'passed', true))
$$;
insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
  select x.kind, x.decision_id, 'result', x.registration_id, x.stood, nullif(x.value, x.stood), case when x.value <> x.stood then now() end
  from (
    select b.kind, b.decision_id, b.registration_id, v.value, stood_then(v.value, b.source_grade, b.source_points) as stood
    from (
      select 'equivalence' as kind, e.id as decision_id, e.registration_id, e.source_grade, e.source_points
      from equivalences e join internal_transfers t on t.id = e.internal_transfer_id and t.status in ('added', 'agreed')
      where e.decided and e.split_of is null and e.registration_id is not null
      union all
      select 'credit', k.id, l.registration_id, l.source_grade, l.source_points
      from course_credits k join equivalences e on e.id = k.equivalence_id
        join equivalences l on l.split_of is null and (l.id = coalesce(e.split_of, e.id) or l.joined_to = coalesce(e.split_of, e.id))
      where l.registration_id is not null) b
    join fact_result(array(select distinct registration_id from equivalences where registration_id is not null)) v on v.fact_id = b.registration_id) x;
drop function stood_then(jsonb, text, numeric);
