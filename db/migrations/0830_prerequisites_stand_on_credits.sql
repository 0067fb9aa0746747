-- A prerequisite that was met by a credited course stands on what that credit stands on. A credit whose result is not passed any
-- more waits for its faculty; meanwhile who runs on it is told beside it. Kept as credited, it counts again; ended or of another
-- grade, what it was needed for is looked at.

-- Whether a credited course counts as passed; `other`: with this result in place of that of one registration.
create function credit_sound(credit integer, registration integer, other jsonb) returns boolean language sql stable as $$
  select not exists (select from decision_facts d
    where d.kind = 'credit' and d.decision_id = credit and d.now is not null and not coalesce((d.now ->> 'passed')::boolean, false)
      and not (d.fact = 'result' and d.fact_id is not distinct from registration and coalesce((other ->> 'passed')::boolean, false)))
$$;

create or replace function requisite_met(of_student integer, requisite jsonb, registration integer default null, other jsonb default null)
returns boolean language plpgsql stable as $$
begin
  if requisite is null or requisite = 'null' then
    return true;
  elsif requisite ? 'all' then
    return coalesce((select bool_and(requisite_met(of_student, x.node, registration, other)) from jsonb_array_elements(requisite -> 'all') x (node)), true);
  elsif requisite ? 'any' then
    return coalesce((select bool_or(requisite_met(of_student, x.node, registration, other)) from jsonb_array_elements(requisite -> 'any') x (node)), false);
  end if;
  return exists (
    select from students s cross join lateral (
      select r.course_id, r.letter, r.points from registrations r join offerings o on o.id = r.offering_id
      where r.student_id = s.id and r.id is distinct from registration and r.passed
        and result_out(o.control_status, 'Approved', r.status, r.total)
        and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
      union all
      select k.course_id, k.letter, k.points from course_credits k
      where k.student_id = s.id and k.former_study_id is null and credit_sound(k.id, registration, other)
      union all
      select (other ->> 'course')::integer, other ->> 'letter', (other ->> 'points')::numeric
      from (select) x where (other ->> 'passed')::boolean and (s.study_after_term_id is null or not exists (
        select from registrations r where r.id = registration and not term_after(r.term_id, s.study_after_term_id)))) p
    where s.id = of_student and requisite_grade(requisite, s.bylaw_id, p.letter, p.points)
      and (p.course_id = (requisite ->> 'course')::integer or exists (select from course_equals e
        where e.course_id = p.course_id and e.equal_course_id = (requisite ->> 'course')::integer)));
end $$;

-- Credits that changed or ended: running registrations of their students that ask for what they counted as, and have it no more.
-- `was`: the credit as it was, in the shape of the fact.
create function prerequisites_lost_by_credits(students integer[], credits integer[], was jsonb[]) returns void language plpgsql as $$
begin
  insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
    select 'prerequisite', x.id, 'credit', c.id, c.was, coalesce(f.value, 'null'), now()
    from unnest(students, credits, was) as c (student_id, id, was)
      left join fact_credit(credits) f on f.fact_id = c.id
      join registrations x on x.student_id = c.student_id and x.letter is null
      cross join lateral running_requisite(x) q (requisite)
    where q.requisite is not null and coalesce(f.value, 'null') <> c.was
      -- What lacks a prerequisite by a result already is told so.
      and not exists (select from decision_facts d where d.kind = 'prerequisite' and d.decision_id = x.id)
      and not requisite_met(x.student_id, q.requisite) and requisite_met(x.student_id, q.requisite, 0, c.was)
    order by x.id, c.id
  on conflict (kind, decision_id, fact, fact_id) do nothing;
  perform prerequisites_regained(students);
end $$;

-- A credited course, as decisions stand on it.
create function credit_value(k course_credits) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object('course', k.course_id, 'letter', k.letter, 'points', trim_scale(k.points),
    'total', trim_scale(k.mark), 'maximum', k.maximum, 'passed', true, 'hours', trim_scale(k.credit_hours), 'in_gpa', k.counts_in_gpa))
$$;
create or replace function fact_credit(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select k.id, credit_value(k) from course_credits k where k.id = any (ids)
$$;

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
-- Kept as credited, or as it was again: it counts.
create function credit_counts_again() returns trigger language plpgsql as $$
begin
  perform prerequisites_regained(array_agg(distinct k.student_id))
  from old_rows o join new_rows n using (kind, decision_id, fact, fact_id) join course_credits k on k.id = n.decision_id
  where n.kind = 'credit' and o.now is not null and n.now is null;
  return null;
end $$;
create trigger credit_counts_again after update on decision_facts referencing old table as old_rows new table as new_rows
  for each statement execute function credit_counts_again();

-- Credits that wait already.
insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
  select 'prerequisite', x.id, 'approved', d.fact_id, d.stood, f.value, now()
  from decision_facts d join course_credits k on k.id = d.decision_id and k.former_study_id is null
    join fact_approved(array(select fact_id from decision_facts where kind = 'credit' and fact = 'result' and now is not null)) f
      on f.fact_id = d.fact_id and f.value <> d.stood
    join registrations x on x.student_id = k.student_id and x.letter is null
    cross join lateral running_requisite(x) q (requisite)
  where d.kind = 'credit' and d.fact = 'result' and d.now is not null and not coalesce((d.now ->> 'passed')::boolean, false)
    and q.requisite is not null and not requisite_met(x.student_id, q.requisite)
    and requisite_met(x.student_id, q.requisite, d.fact_id, d.stood)
  on conflict (kind, decision_id, fact, fact_id) do nothing;
