-- Every status but studying from the start stands on a decision, and no other way leads to it: `decide_status` writes both.
-- A transfer to another university is decided there (`transfer_out`); results of a term or level dismiss by their own
-- decision, which goes when they do. `earlier`: it stood before decisions were kept.
alter table student_status_decisions
  add column source text not null default 'decision'
    constraint student_status_source check (source in ('decision', 'transfer_out', 'term_result', 'level_result', 'earlier')),
  -- The transfer, term or result of a level it comes from.
  add column source_id integer,
  -- Registrations that ended with it: they come back when the result that decided it is no more.
  add column left_ids integer[] not null default '{}',
  -- Nobody but the dean, by the transfer, sends a student to another university; nobody graduates by a result.
  add constraint student_status_by_owner check (case to_status
    when 'transferred' then source in ('transfer_out', 'earlier')
    when 'graduated' then source in ('decision', 'earlier')
    when 'suspended' then source in ('decision', 'level_result', 'earlier')
    when 'withdrawn' then source in ('decision', 'level_result', 'earlier')
    else true end) not valid,
  add constraint student_status_decided unique (id, to_status);
-- Those of approved transfers, told apart by what they say.
update student_status_decisions d set source = 'transfer_out', source_id = t.id
  from transfers_out t where t.student_id = d.student_id and t.status = 'approved' and d.to_status = 'transferred';
update student_status_decisions set source = 'earlier' where to_status = 'transferred' and source = 'decision';
alter table student_status_decisions validate constraint student_status_by_owner;

alter table students add column status_decision_id integer;
-- Statuses that stood without a decision get one that says so.
insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on, source, source_id)
  select s.id, 'studying', s.status, 'Before decisions were kept', university_today(),
    case when s.status = 'dismissed' and s.dismissed_term_id is not null then 'term_result' else 'earlier' end,
    case when s.status = 'dismissed' then s.dismissed_term_id end
  from students s where s.status <> 'studying' and s.status is distinct from
    (select d.to_status from student_status_decisions d where d.student_id = s.id order by d.id desc limit 1);
update students s set status_decision_id = d.id
  from (select distinct on (student_id) student_id, id, to_status from student_status_decisions order by student_id, id desc) d
  where d.student_id = s.id and d.to_status = s.status;
create index students_status_decision on students (status_decision_id) where status_decision_id is not null;
alter table students
  add constraint status_decided check (status = 'studying' or status_decision_id is not null),
  add constraint status_of_decision foreign key (status_decision_id, status) references student_status_decisions (id, to_status);

-- The one way to a status: the decision is kept, and the student stands on it. Answers those whom it changed. Who leaves has no
-- advisor any more. By the result of a term: `of_source_id` is the term; who is brought back by a decision is not dismissed again by it.
create function decide_status(ids integer[], new_status text, of_decision text, on_day date, of_source text default 'decision',
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

-- Figures of students follow their last valid row at once. Whom it dismisses, or dismisses no more, is answered: that is a
-- decision on the status, which the program takes (`decide_status`) with what follows from it.
drop function settle_standing(integer[], integer[]);
create function settle_standing(ids integer[], firsts integer[] default '{}') returns table (student_id integer, term_id integer, dismissed boolean)
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
