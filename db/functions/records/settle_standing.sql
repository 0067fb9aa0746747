-- The figures of students are those of the latest valid row, else those before the first. `firsts`: students whose first term
-- has just been finished: what stood before is kept. Where courses were credited after the last finished term, what stands is
-- what they made of it. Whether somebody is dismissed is asked only where the last finished term says so; whom a decision has
-- readmitted is not dismissed again by the figures of the term whose dismissal it lifted.
create or replace function settle_standing(ids integer[], firsts integer[] default '{}') returns table (student_id integer, term_id integer, dismissed boolean)
language sql as $$
  with now_standing as materialized (
    select s.id, case when x.term_id is not null then x.cumulative_gpa else (s.entry_standing ->> 'gpa')::numeric end as gpa,
      coalesce(x.cumulative_passed_hours, (s.entry_standing ->> 'passed_hours')::numeric, 0) as passed_hours,
      coalesce(x.warnings, (s.entry_standing ->> 'warnings')::smallint, 0) as warnings,
      coalesce(x.level, (s.entry_standing ->> 'level')::smallint,
        (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) as level,
      case when coalesce(x.standing, '') = 'dismissed' and (s.status = 'studying' or s.dismissed_term_id is not null)
        and x.term_id is distinct from s.readmitted_term_id
        and figures_out(s.id, x.term_id, 'Published') then x.term_id end as dismissed_term_id,
      s.dismissed_term_id as before
    from students s left join lateral (
      select t.* from student_terms t join terms w on w.id = t.term_id
      where t.student_id = s.id and t.revised_since is null
        and (s.entry_standing ->> 'after_term_id' is null or term_after(t.term_id, (s.entry_standing ->> 'after_term_id')::integer))
      order by w.start_date desc, w.id desc limit 1) x on true
    where s.id = any (ids)
  ), written as (
    update students s set gpa = n.gpa, passed_hours = n.passed_hours, warnings = n.warnings, level = n.level,
      entry_standing = case when s.id = any (firsts) and s.entry_standing is null then jsonb_build_object('gpa', s.gpa,
        'passed_hours', s.passed_hours, 'warnings', s.warnings, 'level', s.level) else s.entry_standing end,
      -- Dismissed by a later term as well: it is that one's now.
      dismissed_term_id = case when n.before is not null then coalesce(n.dismissed_term_id, n.before) end
    from now_standing n
    where s.id = n.id and ((s.id = any (firsts) and s.entry_standing is null) or (n.before <> n.dismissed_term_id)
      or (s.gpa, s.passed_hours, s.warnings, s.level) is distinct from (n.gpa, n.passed_hours, n.warnings, n.level)))
  select n.id, coalesce(n.dismissed_term_id, n.before), n.dismissed_term_id is not null from now_standing n
  where (n.before is null) <> (n.dismissed_term_id is null) order by 1
$$;
