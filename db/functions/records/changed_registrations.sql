-- For each change of registrations one trigger keeps the audit trail, asks control, marks rows of terms as being revised,
-- notes what is changed of a signed sheet and tells which results have changed, by one statement. Old and new rows are joined
-- in full (although every row has its partner): such a join is never planned as a loop over both, which a plan made for one
-- row would go on doing for thousands. A condition that no missing row could meet would undo that. A column added to the table
-- is added here as well (a test compares).
create or replace function changed_registrations() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  actor integer := who ->> 'actor_id';
  impersonator integer := who ->> 'impersonator_id';
  address inet := who ->> 'ip';
  why text := who ->> 'reason';
  request text := who ->> 'request_id';
  authority text := current_setting('ems.authority', true);
  -- What a trigger writes is derived from a change that has its own entry.
  audited boolean := pg_trigger_depth() = 1;
  refused text[];
  students integer[];
  of_terms integer[];
  laters boolean[];
  unsigned text;
begin
  with changed as materialized (
    select n.id, n.student_id, n.term_id, o.offering_id as before, n.offering_id as after,
      case when o.offering_id <> n.offering_id or o.student_id <> n.student_id or o.credit_hours <> n.credit_hours then 'enrolment'
        when (o.status | 112) <> (n.status | 112) then 'state' else 'result' end as kind,
      (o.status | n.status) & 17592186047488 <> 0 as was_left,
      (o.status | 112, o.offering_id, o.credit_hours, o.points, o.passed, o.counts_in_gpa, o.counts_in_attempted_hours, o.letter is null)
        is distinct from
        (n.status | 112, n.offering_id, n.credit_hours, n.points, n.passed, n.counts_in_gpa, n.counts_in_attempted_hours, n.letter is null)
        as counts,
      concat_ws(',',
        case when o.status <> n.status then '"status":' || o.status end,
        case when o.total is distinct from n.total then '"total":' || coalesce(o.total::text, 'null') end,
        case when o.maximum is distinct from n.maximum then '"maximum":' || coalesce(o.maximum::text, 'null') end,
        case when o.letter is distinct from n.letter then '"letter":' || coalesce(to_json(o.letter)::text, 'null') end,
        case when o.points is distinct from n.points then '"points":' || coalesce(o.points::text, 'null') end,
        case when o.passed is distinct from n.passed then '"passed":' || coalesce(o.passed::text, 'null') end,
        case when o.counts_in_gpa is distinct from n.counts_in_gpa then '"counts_in_gpa":' || coalesce(o.counts_in_gpa::text, 'null') end,
        case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours then '"counts_in_attempted_hours":' || coalesce(o.counts_in_attempted_hours::text, 'null') end,
        case when o.student_id <> n.student_id then '"student_id":' || o.student_id end,
        case when o.offering_id <> n.offering_id then '"offering_id":' || o.offering_id end,
        case when o.term_id <> n.term_id then '"term_id":' || o.term_id end,
        case when o.course_id <> n.course_id then '"course_id":' || o.course_id end,
        case when o.credit_hours <> n.credit_hours then '"credit_hours":' || o.credit_hours end) as old,
      concat_ws(',',
        case when o.status <> n.status then '"status":' || n.status end,
        case when o.total is distinct from n.total then '"total":' || coalesce(n.total::text, 'null') end,
        case when o.maximum is distinct from n.maximum then '"maximum":' || coalesce(n.maximum::text, 'null') end,
        case when o.letter is distinct from n.letter then '"letter":' || coalesce(to_json(n.letter)::text, 'null') end,
        case when o.points is distinct from n.points then '"points":' || coalesce(n.points::text, 'null') end,
        case when o.passed is distinct from n.passed then '"passed":' || coalesce(n.passed::text, 'null') end,
        case when o.counts_in_gpa is distinct from n.counts_in_gpa then '"counts_in_gpa":' || coalesce(n.counts_in_gpa::text, 'null') end,
        case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours then '"counts_in_attempted_hours":' || coalesce(n.counts_in_attempted_hours::text, 'null') end,
        case when o.student_id <> n.student_id then '"student_id":' || n.student_id end,
        case when o.offering_id <> n.offering_id then '"offering_id":' || n.offering_id end,
        case when o.term_id <> n.term_id then '"term_id":' || n.term_id end,
        case when o.course_id <> n.course_id then '"course_id":' || n.course_id end,
        case when o.credit_hours <> n.credit_hours then '"credit_hours":' || n.credit_hours end) as new
    from old_rows o full join new_rows n on n.id = o.id
  ), kept as (
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
    select 'update', 'registrations', c.id, actor, impersonator, address, why, request,
      ('{' || c.old || '}')::jsonb, ('{' || c.new || '}')::jsonb
    from changed c where audited and c.new <> ''
  ), held as materialized (
    -- A step of control and a change meet at the row of the offering: whoever comes second sees what the first has done.
    select o.id, o.control_status, x.kind
    from offerings o join (
      select before as id, kind from changed union select after, 'enrolment' from changed where before <> after) x on x.id = o.id
    order by o.id for key share of o
  )
  select (select array[h.id::text, h.control_status, h.kind] from held h
      where not control_allows(h.control_status, h.kind, authority) order by h.id limit 1),
    (select string_agg(distinct h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen')),
    array_agg(j.student_id), array_agg(j.term_id), array_agg(j.later)
  into refused, unsigned, students, of_terms, laters
  from (
    select c.student_id, c.term_id, f.control_status in ('Approved', 'Published', 'Frozen') or c.was_left as later
    from changed c full join (select distinct id, control_status from held) f on f.id = c.after
    where coalesce(c.counts, false)) j
  -- What is settled concerns this and every later term, what is not the row of its own term alone.
  where j.later or exists (select from student_terms t where t.student_id = j.student_id and t.term_id = j.term_id);
  if refused is not null then
    perform refuse_by_control(refused[1]::integer, refused[2], refused[3]);
  end if;
  perform note_unsigned(unsigned);
  if unsigned is not null then
    perform results_changed(array_agg(x.id order by x.id), array_agg(x.was order by x.id))
    from (
      select n.id, jsonb_strip_nulls(jsonb_build_object('course', o.course_id, 'letter', o.letter,
        'points', trim_scale(o.points), 'total', trim_scale(o.total), 'maximum', o.maximum, 'passed', o.passed, 'hours', trim_scale(o.credit_hours),
        'in_gpa', o.counts_in_gpa, 'state', (o.status & ~112::bigint)::text)) as was
      from old_rows o full join new_rows n on n.id = o.id
      where (o.student_id, o.course_id, o.status, o.letter, o.points, o.total, o.maximum, o.passed, o.credit_hours, o.counts_in_gpa)
        is distinct from (n.student_id, n.course_id, n.status, n.letter, n.points, n.total, n.maximum, n.passed, n.credit_hours, n.counts_in_gpa)) x;
  end if;
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;
