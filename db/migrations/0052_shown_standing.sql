-- What may be told of results, and dismissal.

create function control_rank(status text) returns integer language sql immutable parallel safe
return array_position(array['Draft', 'Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen'], status);

-- Whether a result is out: the offering has come to the status from which the bylaw shows it; where the bylaw never does,
-- to Published, because rules go on counting it. What a student is exempted from is a decision, and out at once.
-- 2147483648 is Complete.
create function result_out(control_status text, shown_from text, status bigint, total numeric) returns boolean
language sql immutable parallel safe
return control_rank(control_status) >= control_rank(coalesce(shown_from, 'Published'))
  or (status & 2147483648 <> 0 and total is null);

-- Whether the figures of a finished term are out: those of every course of it, and of all before it on which its
-- cumulative figures stand. 2305843016356855808 is every state that waits for control: registered or asking to leave,
-- Incomplete, Complete, Absent, Banned, Punished.
create function figures_out(of_student integer, of_term integer, shown_from text) returns boolean language sql stable parallel safe
return not exists (
  select from registrations r join offerings o on o.id = r.offering_id join terms w on w.id = r.term_id
    join terms t on t.id = of_term and (w.start_date, w.id) <= (t.start_date, t.id)
  where r.student_id = of_student and r.status & 2305843016356855808 <> 0
    and not result_out(o.control_status, shown_from, r.status, r.total)
    and (o.control_status in ('Approved', 'Published', 'Frozen')
      or exists (select from student_terms x where x.student_id = of_student and x.term_id = r.term_id)));

-- The figures of students as far as they are out: of the last such term, else those before the first. What is said to a
-- student, and what a student's own requests are judged by, is this.
create view shown_standing as
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
  left join lateral (
    select t.term_id, t.cumulative_gpa, t.cumulative_passed_hours, t.warnings, t.level
    from student_terms t join terms w on w.id = t.term_id
    where t.student_id = s.id and t.revised_since is null and figures_out(s.id, t.term_id, b.grades_visibility ->> 'gpa')
    order by w.start_date desc, w.id desc limit 1) x on true
  cross join lateral (select x.term_id is null and exists (select from student_terms t where t.student_id = s.id) as finished) f;

-- Which attempt a registration is, by results of the course and its equals that are out: 64 after a passed one, 32 after a
-- failed one, else 16.
create function attempt_by_results(of_student integer, of_course integer, before_term integer) returns bigint
language plpgsql stable as $$
begin
  return (
    select case when bool_or(r.passed) then 64 when count(*) > 0 then 32 else 16 end
    from registrations r join offerings o on o.id = r.offering_id join terms w on w.id = r.term_id
      join terms t on t.id = before_term and (w.start_date, w.id) < (t.start_date, t.id)
      join students s on s.id = r.student_id join bylaws b on b.id = s.bylaw_id
    where r.student_id = of_student and (r.passed is not null or r.status & 2305843009884782592 <> 0)
      and (r.course_id = of_course or r.course_id in (select e.equal_course_id from course_equals e where e.course_id = of_course))
      and result_out(o.control_status, b.grades_visibility ->> 'letter', r.status, r.total));
end $$;

-- Dismissal: the last finished term says so, and its figures are out. It follows the results back as well; a dismissal
-- that somebody decided stays.
alter table students add column dismissed_term_id integer references terms;
create index students_dismissed_term on students (dismissed_term_id) where dismissed_term_id is not null;

drop function settle_standing(integer[]);
-- `firsts`: students whose first term has just been finished: what stood before is kept.
create function settle_standing(ids integer[], firsts integer[] default '{}') returns table (student_id integer, user_id integer, dismissed boolean)
language sql as $$
  with now_standing as materialized (
    select s.id, case when x.term_id is not null then x.cumulative_gpa else (s.entry_standing ->> 'gpa')::numeric end as gpa,
      coalesce(x.cumulative_passed_hours, (s.entry_standing ->> 'passed_hours')::smallint, 0) as passed_hours,
      coalesce(x.warnings, (s.entry_standing ->> 'warnings')::smallint, 0) as warnings,
      coalesce(x.level, (s.entry_standing ->> 'level')::smallint,
        (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) as level,
      case when x.standing = 'dismissed' and (s.status = 'studying' or s.dismissed_term_id is not null)
        and figures_out(s.id, x.term_id, 'Published') then x.term_id end as dismissed_term_id,
      s.dismissed_term_id as before
    from students s left join lateral (
      select t.* from student_terms t join terms w on w.id = t.term_id
      where t.student_id = s.id and t.revised_since is null order by w.start_date desc, w.id desc limit 1) x on true
    where s.id = any (ids)
  ), written as (
    update students s set gpa = n.gpa, passed_hours = n.passed_hours, warnings = n.warnings, level = n.level,
      dismissed_term_id = n.dismissed_term_id,
      entry_standing = case when s.id = any (firsts) and s.entry_standing is null then jsonb_build_object('gpa', s.gpa,
        'passed_hours', s.passed_hours, 'warnings', s.warnings, 'level', s.level) else s.entry_standing end,
      status = case when n.dismissed_term_id is not null then 'dismissed'
        when n.before is not null and s.status = 'dismissed' then 'studying' else s.status end
    from now_standing n
    where s.id = n.id and ((s.id = any (firsts) and s.entry_standing is null) or (s.gpa, s.passed_hours, s.warnings, s.level, s.dismissed_term_id)
      is distinct from (n.gpa, n.passed_hours, n.warnings, n.level, n.dismissed_term_id))
    returning s.id, s.user_id, n.dismissed_term_id is not null as dismissed, (n.before is null) <> (n.dismissed_term_id is null) as turned)
  select w.id, w.user_id, w.dismissed from written w where w.turned order by 1
$$;
