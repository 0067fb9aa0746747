-- The one way to a status: the decision is kept, and the student stands on it. Answers those whom it changed. Who leaves has no
-- advisor any more. By the result of a term: `of_source_id` is the term; who is brought back by a decision is not dismissed again by it.
create or replace function decide_status(ids integer[], new_status text, of_decision text, on_day date, of_source text default 'decision',
  of_source_id integer default null, of_file integer default null, by_user integer default null)
returns table (student_id integer, user_id integer, decision_id integer) language sql as $$
  with found as materialized (
    select s.id, s.status from students s where s.id = any (ids) and s.status <> new_status order by s.id for no key update
  ), made as (
    insert into student_status_decisions as d (student_id, from_status, to_status, decision, decided_on, source, source_id, file_id, created_by)
    select f.id, f.status, new_status, of_decision, on_day, of_source, of_source_id, of_file, by_user from found f
    returning d.id, d.student_id
  )
  update students s set status = new_status, status_decision_id = m.id,
    advisor_id = case when new_status in ('studying', 'suspended') then s.advisor_id end,
    readmitted_term_id = case when new_status = 'studying' and of_source = 'decision'
      then coalesce(s.dismissed_term_id, s.readmitted_term_id) else s.readmitted_term_id end,
    dismissed_term_id = case when new_status = 'dismissed' and of_source = 'term_result' then of_source_id end
  from made m where s.id = m.student_id
  returning s.id, s.user_id, m.id
$$;
