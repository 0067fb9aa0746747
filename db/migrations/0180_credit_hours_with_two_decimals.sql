-- Credit hours have up to two decimals: courses of 1.5 hours, of 7.5 ECTS, and sums that are exact. Limits that a bylaw
-- gives (hours of a level, of a degree, of a term) stay whole numbers.
--
-- A whole number that becomes a decimal is written anew: each of these tables is copied once, with its indexes, while
-- nobody reads or writes it. All of it takes about 1.5 s for 143,000 registrations, 20,000 students and 120,000 finished
-- terms on two busy cores; no trigger runs, and nothing is noted in the audit trail, because no value changes. Nothing here waits for a
-- lock longer than ten seconds (and so keeps nobody else waiting behind it): a long report ends the migration instead,
-- which has then changed nothing and is started again.
set local lock_timeout = '10s';

-- What stands on the columns goes first, and comes back below.
drop view shown_standing;

alter table courses
  alter column credit_hours type numeric(6, 2),
  alter column min_passed_hours type numeric(6, 2);
alter table programs alter column min_credit_hours type numeric(6, 2);
alter table program_pools alter column min_credit_hours type numeric(6, 2);
alter table transcripts alter column passed_hours type numeric(8, 2);
alter table students alter column passed_hours type numeric(8, 2);
alter table student_terms
  alter column registered_hours type numeric(8, 2),
  alter column attempted_hours type numeric(8, 2),
  alter column passed_hours type numeric(8, 2),
  alter column cumulative_hours type numeric(8, 2),
  alter column cumulative_passed_hours type numeric(8, 2);
-- The largest last: from here on students who register wait.
alter table registrations alter column credit_hours type numeric(6, 2);

create view shown_standing as
select s.id as student_id,
  case when x.term_id is not null then x.cumulative_gpa when f.finished then (s.entry_standing ->> 'gpa')::numeric else s.gpa end as gpa,
  case when x.term_id is not null then x.cumulative_passed_hours
    when f.finished then coalesce((s.entry_standing ->> 'passed_hours')::numeric(8, 2), 0) else s.passed_hours end as passed_hours,
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

create or replace function settle_standing(ids integer[], firsts integer[] default '{}') returns table (student_id integer, user_id integer, dismissed boolean)
language sql as $$
  with now_standing as materialized (
    select s.id, case when x.term_id is not null then x.cumulative_gpa else (s.entry_standing ->> 'gpa')::numeric end as gpa,
      coalesce(x.cumulative_passed_hours, (s.entry_standing ->> 'passed_hours')::numeric(8, 2), 0) as passed_hours,
      coalesce(x.warnings, (s.entry_standing ->> 'warnings')::smallint, 0) as warnings,
      coalesce(x.level, (s.entry_standing ->> 'level')::smallint,
        (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) as level,
      case when coalesce(x.standing, '') = 'dismissed' and (s.status = 'studying' or s.dismissed_term_id is not null)
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
