-- Whom a decision has readmitted is not dismissed again by the figures of the term whose dismissal it lifted.
create or replace function settle_standing(ids integer[], firsts integer[] default '{}') returns table (student_id integer, user_id integer, dismissed boolean)
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
