-- The audit trail, cheaper for those who write much.

-- One entry per row of the statement. Arguments: the table's key columns, the columns left out.
-- The setting `ems.actor` says who acts: {actor_id, impersonator_id, ip, reason, request_id}.
-- Old and new rows are joined in full, although every row has its partner: such a join is never planned as a loop over
-- both, which a plan made for one row would go on doing for thousands.
-- `offset 0` makes each row's JSON once; without it the planner would write it anew for every one of its columns.
create or replace function audit_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  keys text[] := tg_argv[0];
  excluded text[] := tg_argv[1];
begin
  -- What a trigger writes (seats counted, say) is derived from a change that has its own entry.
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
    select 'insert', tg_table_name, audit_record(line ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      audit_line(line, excluded)
    from (select to_jsonb(n) as line from new_rows n offset 0) as rows;
  elsif tg_op = 'DELETE' then
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old)
    select 'delete', tg_table_name, audit_record(line ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      audit_line(line, excluded)
    from (select to_jsonb(o) as line from old_rows o offset 0) as rows;
  else
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
    select 'update', tg_table_name, audit_record(rows.new ->> keys[1]), (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      change.old, change.new
    from (
      select o.line as old, n.line as new
      from (select to_jsonb(r) as line from old_rows r offset 0) as o
      full join (select to_jsonb(r) as line from new_rows r offset 0) as n
        on case when cardinality(keys) = 1 then o.line ->> keys[1] else audit_key(o.line, keys) end
         = case when cardinality(keys) = 1 then n.line ->> keys[1] else audit_key(n.line, keys) end
    ) as rows
    cross join lateral (
      -- A row without an id of its own is known by its key, which therefore stands beside the change.
      select
        jsonb_object_agg(key, case when key ~ '(password|secret|token)' and rows.old -> key <> 'null' then '"•••"' else rows.old -> key end) as old,
        jsonb_object_agg(key, case when key ~ '(password|secret|token)' and value <> 'null' then '"•••"' else value end) as new,
        bool_or(value is distinct from rows.old -> key) as changed
      from jsonb_each(rows.new)
      where (value is distinct from rows.old -> key and key <> all (excluded)) or (cardinality(keys) > 1 and key = any (keys))
    ) as change
    where change.changed;
  end if;
  return null;
end $$;

-- Marks and results are written by the thousand: their entries in the audit trail are made from the columns themselves,
-- where `audit_change` takes every row apart as JSON. The entries are the same. A column added to one of these tables is
-- added here as well (a test compares).

create function audit_marks() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  if tg_op = 'UPDATE' then
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
    select 'update', 'registration_marks', n.registration_id, (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      jsonb_build_object('registration_id', o.registration_id, 'offering_mark_id', o.offering_mark_id)
        || case when o.mark is distinct from n.mark then jsonb_build_object('mark', o.mark) else '{}' end
        || case when o.absent <> n.absent then jsonb_build_object('absent', o.absent) else '{}' end
        || case when o.entered_by is distinct from n.entered_by then jsonb_build_object('entered_by', o.entered_by) else '{}' end,
      jsonb_build_object('registration_id', n.registration_id, 'offering_mark_id', n.offering_mark_id)
        || case when o.mark is distinct from n.mark then jsonb_build_object('mark', n.mark) else '{}' end
        || case when o.absent <> n.absent then jsonb_build_object('absent', n.absent) else '{}' end
        || case when o.entered_by is distinct from n.entered_by then jsonb_build_object('entered_by', n.entered_by) else '{}' end
    -- Full, although every row has its partner: it is never planned as a loop over both, whose work is the square.
    from old_rows o full join new_rows n
      on n.registration_id = o.registration_id and n.offering_mark_id = o.offering_mark_id
    where o.mark is distinct from n.mark or o.absent is distinct from n.absent or o.entered_by is distinct from n.entered_by;
  elsif tg_op = 'INSERT' then
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
    select 'insert', 'registration_marks', n.registration_id, (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      jsonb_strip_nulls(jsonb_build_object('registration_id', n.registration_id, 'offering_mark_id', n.offering_mark_id,
        'mark', n.mark, 'absent', n.absent, 'entered_by', n.entered_by))
    from new_rows n;
  else
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old)
    select 'delete', 'registration_marks', o.registration_id, (who ->> 'actor_id')::integer,
      (who ->> 'impersonator_id')::integer, (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
      jsonb_strip_nulls(jsonb_build_object('registration_id', o.registration_id, 'offering_mark_id', o.offering_mark_id,
        'mark', o.mark, 'absent', o.absent, 'entered_by', o.entered_by))
    from old_rows o;
  end if;
  return null;
end $$;
drop trigger audit_insert on registration_marks;
drop trigger audit_update on registration_marks;
drop trigger audit_delete on registration_marks;
create trigger audit_insert after insert on registration_marks referencing new table as new_rows
  for each statement execute function audit_marks();
create trigger audit_update after update on registration_marks referencing old table as old_rows new table as new_rows
  for each statement execute function audit_marks();
create trigger audit_delete after delete on registration_marks referencing old table as old_rows
  for each statement execute function audit_marks();

create function audit_changed_registrations() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  -- What a trigger writes is derived from a change that has its own entry.
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
  select 'update', 'registrations', n.id, (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer,
    (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id',
    case when o.status <> n.status then jsonb_build_object('status', o.status) else '{}' end
      || case when o.total is distinct from n.total then jsonb_build_object('total', o.total) else '{}' end
      || case when o.letter is distinct from n.letter then jsonb_build_object('letter', o.letter) else '{}' end
      || case when o.points is distinct from n.points then jsonb_build_object('points', o.points) else '{}' end
      || case when o.passed is distinct from n.passed then jsonb_build_object('passed', o.passed) else '{}' end
      || case when o.counts_in_gpa is distinct from n.counts_in_gpa
        then jsonb_build_object('counts_in_gpa', o.counts_in_gpa) else '{}' end
      || case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours
        then jsonb_build_object('counts_in_attempted_hours', o.counts_in_attempted_hours) else '{}' end
      || case when o.student_id <> n.student_id then jsonb_build_object('student_id', o.student_id) else '{}' end
      || case when o.offering_id <> n.offering_id then jsonb_build_object('offering_id', o.offering_id) else '{}' end
      || case when o.term_id <> n.term_id then jsonb_build_object('term_id', o.term_id) else '{}' end
      || case when o.course_id <> n.course_id then jsonb_build_object('course_id', o.course_id) else '{}' end
      || case when o.credit_hours <> n.credit_hours then jsonb_build_object('credit_hours', o.credit_hours) else '{}' end,
    case when o.status <> n.status then jsonb_build_object('status', n.status) else '{}' end
      || case when o.total is distinct from n.total then jsonb_build_object('total', n.total) else '{}' end
      || case when o.letter is distinct from n.letter then jsonb_build_object('letter', n.letter) else '{}' end
      || case when o.points is distinct from n.points then jsonb_build_object('points', n.points) else '{}' end
      || case when o.passed is distinct from n.passed then jsonb_build_object('passed', n.passed) else '{}' end
      || case when o.counts_in_gpa is distinct from n.counts_in_gpa
        then jsonb_build_object('counts_in_gpa', n.counts_in_gpa) else '{}' end
      || case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours
        then jsonb_build_object('counts_in_attempted_hours', n.counts_in_attempted_hours) else '{}' end
      || case when o.student_id <> n.student_id then jsonb_build_object('student_id', n.student_id) else '{}' end
      || case when o.offering_id <> n.offering_id then jsonb_build_object('offering_id', n.offering_id) else '{}' end
      || case when o.term_id <> n.term_id then jsonb_build_object('term_id', n.term_id) else '{}' end
      || case when o.course_id <> n.course_id then jsonb_build_object('course_id', n.course_id) else '{}' end
      || case when o.credit_hours <> n.credit_hours then jsonb_build_object('credit_hours', n.credit_hours) else '{}' end
  from old_rows o full join new_rows n on n.id = o.id
  where o.status is distinct from n.status or o.total is distinct from n.total or o.letter is distinct from n.letter
    or o.points is distinct from n.points or o.passed is distinct from n.passed
    or o.counts_in_gpa is distinct from n.counts_in_gpa
    or o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours
    or o.student_id is distinct from n.student_id or o.offering_id is distinct from n.offering_id
    or o.term_id is distinct from n.term_id or o.course_id is distinct from n.course_id
    or o.credit_hours is distinct from n.credit_hours;
  return null;
end $$;
drop trigger audit_update on registrations;
create trigger audit_update after update on registrations referencing old table as old_rows new table as new_rows
  for each statement execute function audit_changed_registrations();
