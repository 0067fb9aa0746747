-- What a statement changed is compared with what was in one pass. A plan is kept from the first statement of a connection, which
-- is often of one row; with it each row before was held against each row after, so that thousands took minutes. A full join
-- cannot be done that way; `offset 0` keeps conditions from turning it into another.
create or replace function settle_documents_of_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform settle_documents(array(select distinct n.student_id from rows_now n));
  elsif tg_op = 'DELETE' then
    perform settle_documents(array(select distinct o.student_id from rows_before o));
  else
    perform settle_documents(array(
      select distinct x.id from rows_now n full join rows_before o on o.id = n.id cross join unnest(array[n.student_id, o.student_id]) x(id)
      where (n.student_id, n.kind_id, n.status, n.asked, n.removed_at)
        is distinct from (o.student_id, o.kind_id, o.status, o.asked, o.removed_at)));
  end if;
  return null;
end $$;
create or replace function settle_documents_of_students() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform settle_documents(array(select n.id from students_now n));
  else
    perform settle_documents(array(
      select n.id from students_now n full join students_before o on o.id = n.id
      where (n.gender, n.nationality_id, n.program_id, n.level, n.entry_term_id, n.status, n.removed_at)
        is distinct from (o.gender, o.nationality_id, o.program_id, o.level, o.entry_term_id, o.status, o.removed_at)));
  end if;
  return null;
end $$;
create or replace function figures_changed() returns trigger language plpgsql as $$
begin
  perform facts_changed('figures', array_agg(n.id))
  from old_rows o full join new_rows n on n.id = o.id where (o.gpa, o.passed_hours, o.level) is distinct from (n.gpa, n.passed_hours, n.level);
  return null;
end $$;
create or replace function count_waiting() returns trigger language plpgsql as $$
declare
  ids integer[];
  came integer[];
  moved integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(slot_id), array_agg(n), array_agg(0) into ids, came, moved from (
      select slot_id, count(*)::int as n from new_rows cross join lateral unnest(offering_slot_ids) as u (slot_id)
      where state = 'waiting' group by 1) c;
  elsif tg_op = 'DELETE' then
    select array_agg(slot_id), array_agg(-n), array_agg(0) into ids, came, moved from (
      select slot_id, count(*)::int as n from old_rows cross join lateral unnest(offering_slot_ids) as u (slot_id)
      where state = 'waiting' group by 1) c;
  else
    select array_agg(slot_id), array_agg(c.came), array_agg(c.moved) into ids, came, moved from (
      select slot_id, sum(p.came)::int as came, sum(p.moved)::int as moved from (
        select slot_id, 1 as came, 0 as moved from new_rows cross join lateral unnest(offering_slot_ids) as u (slot_id)
          where state = 'waiting'
        union all
        select slot_id, -1, (c.state = 'moved')::int from (
            select o.offering_slot_ids, o.state as was, n.state from old_rows o full join new_rows n on n.id = o.id offset 0) c
          cross join lateral unnest(c.offering_slot_ids) as u (slot_id) where c.was = 'waiting'
      ) p group by 1) c
      where c.came <> 0 or c.moved <> 0;
  end if;
  if ids is null then return null; end if;
  perform 1 from offering_slots where id = any (ids) order by id for no key update;
  update offering_slots s set waiting = s.waiting + c.came, held = greatest(least(s.held - c.moved, s.waiting + c.came), 0)
    from unnest(ids, came, moved) as c (id, came, moved) where s.id = c.id;
  return null;
end $$;
create or replace function guard_moved_exam_students() returns trigger language plpgsql as $$
declare
  clash record;
begin
  if not exists (select from new_rows n full join old_rows o on o.id = n.id where n.during is distinct from o.during) then return null; end if;
  perform hold_exam_plan(array(select e.term_id from new_rows n join exams e on e.id = n.exam_id));
  -- Halls and people go along; who is off the board has none.
  delete from exam_schedule_locations l using new_rows n where l.exam_schedule_id = n.id and n.during is null;
  -- The exclusion of people is judged when all have moved.
  update exam_schedule_locations l set during = n.during from new_rows n
    where l.exam_schedule_id = n.id and n.during is not null and l.during <> n.during;
  update exam_schedule_instructors l set during = n.during from new_rows n
    where l.exam_schedule_id = n.id and n.during is not null and l.during <> n.during;
  select n.id, o.id as other into clash
    from (select n.* from new_rows n full join old_rows b on b.id = n.id where b.during is distinct from n.during offset 0) n
      join registrations r on r.offering_id = n.offering_id and sits_exam(r.status)
      join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
      join exam_schedules o on o.offering_id = q.offering_id and o.removed_at is null and o.during && n.during and o.id <> n.id
    where n.during is not null limit 1;
  if found then
    raise exception using errcode = '23P01', constraint = 'exam_student_clash',
      message = format('schedules %s and %s share students at the same time', clash.id, clash.other);
  end if;
  return null;
end $$;
create or replace function guard_exam_meetings() returns trigger language plpgsql as $$
declare
  hall integer;
begin
  if tg_op = 'UPDATE' then
    select n.location_id into hall from (select n.* from new_rows n full join old_rows o on o.id = n.id
        where (n.location_id, n.during) is distinct from (o.location_id, o.during) offset 0) n
      join locations l on l.id = n.location_id and l.location_type <> 'online'
      where exists (select from meetings_made_up(n.during) m where m.location_id = n.location_id) limit 1;
  else
    select n.location_id into hall from new_rows n join locations l on l.id = n.location_id and l.location_type <> 'online'
      where exists (select from meetings_made_up(n.during) m where m.location_id = n.location_id) limit 1;
  end if;
  if hall is not null then perform refuse_exam_beside_meeting(hall); end if;
  return null;
end $$;
create or replace function credit_counts_again() returns trigger language plpgsql as $$
begin
  perform prerequisites_regained(array_agg(distinct k.student_id))
  from (select n.kind, n.decision_id, o.now as was, n.now
      from old_rows o full join new_rows n using (kind, decision_id, fact, fact_id) offset 0) c
    join course_credits k on k.id = c.decision_id
  where c.kind = 'credit' and c.was is not null and c.now is null;
  return null;
end $$;
-- What is searched of a row: the functions that keep it, and the one that makes them.
do $$
declare
  one regprocedure;
  before text;
  after text;
begin
  foreach one in array array['keep_searched(text, text[])', 'keep_students_searched()']::regprocedure[] loop
    before := pg_get_functiondef(one);
    after := regexp_replace(before,
      'from new_rows n join old_rows o on o\.id = n\.id\s+where s\.id = n\.id and (row \([^)]*\) is distinct from row \([^)]*\));',
      'from (select n.* from new_rows n full join old_rows o on o.id = n.id
          where \1 offset 0) n
        where s.id = n.id;');
    if before = after then
      raise exception '% does not compare rows as it did: see that it compares them in one pass', one;
    end if;
    execute after;
  end loop;
end $$;
