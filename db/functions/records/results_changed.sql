-- Settled results that changed; `was`: what of each was otherwise before, null where the offering itself went on or back.
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
      join running_requisites(owners) x on x.student_id = c.student_id and x.id <> c.id
    where (c.was ->> 'passed')::boolean
      and not requisite_met(x.student_id, x.requisite) and requisite_met(x.student_id, x.requisite, c.id, c.was)
    order by x.id, c.id
  on conflict (kind, decision_id, fact, fact_id) do nothing;
  perform prerequisites_regained(owners);
end $$;
