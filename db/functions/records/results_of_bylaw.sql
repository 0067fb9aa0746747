-- Results that stand on the settings of a bylaw in a term and after it, or at all: approved marks, finished terms, decided years.
create or replace function results_of_bylaw(of_bylaw integer, from_term integer default null) returns integer language sql stable as $$
  with since as (select w.start_date, w.id from terms w where w.id = from_term),
  counted as materialized (
    select w.id from terms w where from_term is null or (w.start_date, w.id) >= (select start_date, id from since))
  select count(*)::int from (
    select r.id from students s join registrations r on r.student_id = s.id join offerings o on o.id = r.offering_id
      where s.bylaw_id = of_bylaw and r.letter is not null and r.total is not null
        and o.control_status in ('Approved', 'Published', 'Frozen') and r.term_id in (select id from counted)
        and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
    union all
    select t.student_id from student_terms t join students s on s.id = t.student_id
      where s.bylaw_id = of_bylaw and t.term_id in (select id from counted)
        and not exists (select from registrations r where r.student_id = t.student_id and r.term_id = t.term_id)) x
$$;
