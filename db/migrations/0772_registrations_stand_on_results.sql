-- Registrations stand on results as well: which attempt one is, on what came out before it; that it may be taken at all, on its
-- prerequisites. Neither is kept with each registration, which would cost every one of them: what speaks against one is written when
-- a settled result changes, and goes when nothing does any more.

-- What was otherwise before is told in the shape of the fact, so that it can stand as what a decision stood on.
do $$
declare
  before text := pg_get_functiondef('changed_registrations'::regproc);
  after text := replace(before, $old$jsonb_build_object('student_id', o.student_id, 'course_id', o.course_id, 'status', o.status::text, 'letter', o.letter,
        'points', o.points, 'passed', o.passed) as was$old$, $new$jsonb_strip_nulls(jsonb_build_object('course', o.course_id, 'letter', o.letter,
        'points', trim_scale(o.points), 'total', trim_scale(o.total), 'maximum', o.maximum, 'passed', o.passed, 'hours', trim_scale(o.credit_hours),
        'in_gpa', o.counts_in_gpa, 'state', (o.status & ~112::bigint)::text)) as was$new$);
begin
  if before = after then
    raise exception 'changed_registrations tells what was otherwise before in another way';
  end if;
  execute after;
end $$;

create function letter_points(of_bylaw integer, of_letter text) returns numeric language sql stable as $$
  select g.points from grade_types t join grade_ranges g on g.grade_type_id = t.id
  where t.bylaw_id = of_bylaw and t.kind = 'letter' and g.letter = of_letter limit 1
$$;
-- Whether a grade is at least what a prerequisite asks for: nothing, that letter, or its points under the bylaw of the student.
create function requisite_grade(leaf jsonb, of_bylaw integer, letter text, points numeric) returns boolean language sql stable as $$
  select case when not (leaf ? 'min_grade' or leaf ? 'min_points') then true when leaf ->> 'min_grade' = letter then true
    else coalesce(coalesce(points, letter_points(of_bylaw, letter))
      >= coalesce((leaf ->> 'min_points')::numeric, letter_points(of_bylaw, leaf ->> 'min_grade')), false) end
$$;

-- Whether a student meets prerequisites by settled results and credited courses; `other`: with this result in place of that of
-- one registration. The same as `evaluate` of the server (a test compares).
create function requisite_met(of_student integer, requisite jsonb, registration integer default null, other jsonb default null)
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
      select k.course_id, k.letter, k.points from course_credits k where k.student_id = s.id and k.former_study_id is null
      union all
      select (other ->> 'course')::integer, other ->> 'letter', (other ->> 'points')::numeric where (other ->> 'passed')::boolean) p
    where s.id = of_student and requisite_grade(requisite, s.bylaw_id, p.letter, p.points)
      and (p.course_id = (requisite ->> 'course')::integer or exists (select from course_equals e
        where e.course_id = p.course_id and e.equal_course_id = (requisite ->> 'course')::integer)));
end $$;

-- What a running registration asks for; null: nothing, or it was set aside with a reason. Running: it weighs on the term, has no
-- result, and control has not begun with the offering.
create function running_requisite(r registrations) returns jsonb language sql stable as $$
  select coalesce(pc.prerequisites, c.prerequisites)
  from offerings o join courses c on c.id = o.course_id join students s on s.id = r.student_id
    left join program_courses pc on pc.program_id = s.program_id and pc.course_id = c.id
  where o.id = r.offering_id and o.control_status = 'Draft' and r.letter is null
    and r.status & (262144 | 1048576 | 2097152 | 4194304 | 8388608 | 16777216) <> 0
    and not exists (select from registration_history h where h.registration_id = r.id and h.overrides @> '[{"code": "prerequisites"}]')
$$;

-- Registrations of these students that lacked a prerequisite and do no more, or run no more.
create function prerequisites_regained(students integer[]) returns void language plpgsql as $$
begin
  if students is null or not exists (select from decision_facts where kind = 'prerequisite') then
    return;
  end if;
  delete from decision_facts d using registrations r
  where d.kind = 'prerequisite' and r.id = d.decision_id and r.student_id = any (students)
    and requisite_met(r.student_id, running_requisite(r));
end $$;

create or replace function results_changed(ids integer[], was jsonb[]) returns void language plpgsql as $$
declare
  owners integer[];
begin
  if ids is null then
    return;
  end if;
  perform facts_changed('result', ids);
  perform facts_changed('approved', ids);

  -- Later registrations of the same course that are another attempt now. Begun with the later terms in which anybody is registered.
  with mine as materialized (
    select distinct r.student_id, r.course_id, t.id as term_id, t.start_date from registrations r join terms t on t.id = r.term_id where r.id = any (ids)
  ), first as materialized (select m.term_id, m.start_date from mine m order by m.start_date, m.term_id limit 1
  ), after as materialized (
    select t.id, t.start_date from terms t join first f on (t.start_date, t.id) > (f.start_date, f.term_id)
    where exists (select from registrations r where r.term_id = t.id)
  ), later as materialized (
    select distinct r.id, r.status & 112 as flag, attempt_by_results(r.student_id, r.course_id, r.term_id) as fresh
    from after b join mine m on (b.start_date, b.id) > (m.start_date, m.term_id)
      join registrations r on r.term_id = b.id and r.student_id = m.student_id
        and (r.course_id = m.course_id or r.course_id in (select equal_course_id from course_equals where course_id = m.course_id))
  ), right_again as (
    delete from decision_facts d using later l where d.kind = 'attempt' and d.decision_id = l.id and l.flag = l.fresh)
  insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
    select 'attempt', l.id, 'attempt', l.id, jsonb_build_object('attempt', l.flag::text), jsonb_build_object('attempt', l.fresh::text), now()
    from later l where l.flag <> l.fresh and l.flag <> 0 order by l.id
  on conflict (kind, decision_id, fact, fact_id) do update set stood = excluded.stood, now = excluded.now, since = excluded.since;

  -- Running registrations whose prerequisite was passed with one of these results and is not any more.
  select array_agg(distinct r.student_id) into owners from registrations r where r.id = any (ids);
  insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
    select 'prerequisite', x.id, 'approved', c.id, c.was, f.value, now()
    from (
      select r.id, r.student_id, coalesce(w.was, result_value(r, true)) as was
      from unnest(ids) with ordinality as i (id, place) join registrations r on r.id = i.id
        left join unnest(was) with ordinality as w (was, place) on w.place = i.place) c
      join fact_approved(ids) f on f.fact_id = c.id and f.value <> c.was
      join registrations x on x.student_id = c.student_id and x.id <> c.id and x.letter is null
      cross join lateral running_requisite(x) q (requisite)
    where (c.was ->> 'passed')::boolean and q.requisite is not null
      and not requisite_met(x.student_id, q.requisite) and requisite_met(x.student_id, q.requisite, c.id, c.was)
    order by x.id, c.id
  on conflict (kind, decision_id, fact, fact_id) do nothing;
  perform prerequisites_regained(owners);
end $$;

-- What is credited may be what was lacking.
create function credits_came() returns trigger language plpgsql as $$
begin
  perform prerequisites_regained(array_agg(distinct n.student_id)) from new_rows n;
  return null;
end $$;
create trigger basis_insert after insert on course_credits referencing new table as new_rows
  for each statement execute function credits_came();

select basis_goes_with('registrations', 'attempt');
select basis_goes_with('registrations', 'prerequisite');
