-- Whether figures of terms are out was asked term by term, each time over all the courses of the student. It is found in
-- one pass: the figures of every term before the first that is held back are out, and of no other.

-- Asked of every course of a student: compared, not looked for in a list.
create or replace function control_rank(status text) returns integer language sql immutable parallel safe
return case status when 'Draft' then 1 when 'Submitted' then 2 when 'Reviewed' then 3 when 'Approved' then 4
  when 'Published' then 5 when 'Frozen' then 6 end;

-- The first term whose figures are not out, if any: nothing of it and of what follows is told. What holds it back is a
-- course that waits for control, or whose result is not yet shown, as `figures_out` says it for one term.
create function figures_held_back(of_student integer, shown_from text) returns table (term_start date, term_id integer)
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

create or replace function figures_out(of_student integer, of_term integer, shown_from text) returns boolean
language sql stable parallel safe
return not exists (
  select from figures_held_back(of_student, shown_from) h join terms t on t.id = of_term
  where (h.term_start, h.term_id) <= (t.start_date, t.id));

create or replace view shown_standing as
select s.id as student_id,
  case when x.term_id is not null then x.cumulative_gpa when f.finished then (s.entry_standing ->> 'gpa')::numeric else s.gpa end as gpa,
  case when x.term_id is not null then x.cumulative_passed_hours
    when f.finished then coalesce((s.entry_standing ->> 'passed_hours')::smallint, 0) else s.passed_hours end as passed_hours,
  case when x.term_id is not null then x.warnings
    when f.finished then coalesce((s.entry_standing ->> 'warnings')::smallint, 0) else s.warnings end as warnings,
  case when x.term_id is not null then x.level
    when f.finished then coalesce((s.entry_standing ->> 'level')::smallint,
      (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) else s.level end as level,
  b.grades_visibility ->> 'gpa' is not null as gpa_shown
from students s join bylaws b on b.id = s.bylaw_id
  left join lateral (select true as finished from student_terms t where t.student_id = s.id limit 1) f on true
  -- Whoever has finished no term has no figures to hold back.
  left join lateral (
    select k.term_start, k.term_id from figures_held_back(s.id, b.grades_visibility ->> 'gpa') k where f.finished) h on true
  left join lateral (
    select t.term_id, t.cumulative_gpa, t.cumulative_passed_hours, t.warnings, t.level
    from student_terms t join terms w on w.id = t.term_id
    where f.finished and t.student_id = s.id and t.revised_since is null
      and (h.term_id is null or (w.start_date, w.id) < (h.term_start, h.term_id))
    order by w.start_date desc, w.id desc limit 1) x on true;

-- Whoever registers mostly waits for nothing: to know that is cheaper than an update that finds nothing.
create or replace function end_places_of_new() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows n join wait_list w on w.student_id = n.student_id and w.state = 'waiting') then
    return null;
  end if;
  update wait_list w set state = 'left', moved_at = now()
    from new_rows n, offerings o
    where w.student_id = n.student_id and w.state = 'waiting' and o.id = w.offering_id
      and o.term_id = n.term_id and o.course_id = n.course_id;
  return null;
end $$;
