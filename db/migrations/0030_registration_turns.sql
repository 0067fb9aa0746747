-- Requests of one student take turns: what was gathered to judge a request still holds when it is written, or the
-- request is judged again. Two tabs cannot together pass a limit that each alone keeps.
create table registration_turns (
  student_id integer primary key references students on delete cascade,
  turn integer not null
) with (fillfactor = 50);
insert into registration_turns (student_id, turn) select id, 0 from students;
create function first_turn() returns trigger language plpgsql as $$
begin
  insert into registration_turns (student_id, turn) select id, 0 from added;
  return null;
end $$;
create trigger first_turn after insert on students
  referencing new table as added for each statement execute function first_turn();

-- Slots chosen when the step was made, or given back by it: what an undo takes again.
alter table registration_history add offering_slot_ids integer[];

-- Seats are counted with every registration, which keeps its own history: of the meetings only changes of what they are
-- go into the audit trail, and taking a seat does not pay for it.
drop trigger audit_update on offering_slots;
create function audit_offering_slot() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
  select 'update', 'offering_slots', new.id, (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer,
    (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id', jsonb_object_agg(n.key, o.value), jsonb_object_agg(n.key, n.value)
  from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
  where n.value is distinct from o.value and n.key not in ('taken', 'version')
  having count(*) > 0;
  return null;
end $$;
create trigger audit_update after update of offering_id, term_id, group_id, type, section, day, slot_id, location_id, quota,
  over_quota on offering_slots for each row when (old.* is distinct from new.*) execute function audit_offering_slot();

-- Requests of several students are written in one statement: `ems.actor` then says who acts for each, as {by: {student:
-- who}}, and each registration is audited under its own.
drop trigger audit_insert on registrations;
create function audit_new_registrations() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
  select 'insert', 'registrations', n.id, (w.who ->> 'actor_id')::integer, (w.who ->> 'impersonator_id')::integer,
    (w.who ->> 'ip')::inet, w.who ->> 'reason', w.who ->> 'request_id',
    jsonb_strip_nulls(to_jsonb(n) - '{version,created_at,updated_at}'::text[])
  from new_rows n cross join lateral (select coalesce(who -> 'by' -> n.student_id::text, who) as who) w;
  return null;
end $$;
create trigger audit_insert after insert on registrations referencing new table as new_rows
  for each statement execute function audit_new_registrations();

-- The same counting in one statement: lock in order of id, count, look for what is above the quota.
create or replace function take_seats() returns trigger language plpgsql as $$
declare
  full_slot integer;
begin
  with wanted as (
    select offering_slot_id as id, count(*)::int as seats, bool_and(over) as over from added group by 1
  ), locked as materialized (
    select s.id, w.seats, w.over from offering_slots s join wanted w using (id) order by s.id for no key update of s
  ), counted as (
    update offering_slots s set taken = s.taken + l.seats from locked l where s.id = l.id
    returning s.id, s.taken > s.quota and not l.over as above
  )
  select min(id) into full_slot from counted where above;
  if full_slot is not null then
    raise exception 'no free seat' using errcode = 'check_violation', constraint = 'registration_slots_seat_free',
      table = 'registration_slots', detail = full_slot::text;
  end if;
  return null;
end $$;
