-- A seat that is freed or added while somebody waits for it is held for the queue in the same transaction, whoever
-- writes: until the queue has given it to the first who may have it, or has found nobody, others see a full meeting.

-- `waiting`: places in the queue that want this meeting. `held`: free seats that only the queue may give; once held, a
-- seat is turned into a taken one, or released, and nothing else takes it.
alter table offering_slots
  add column waiting integer not null default 0,
  add column held integer not null default 0;
alter table offering_slots add constraint offering_slots_seats_held
  check (taken >= 0 and held >= 0 and held <= waiting and taken + held <= quota + over_quota) not valid;
alter table offering_slots validate constraint offering_slots_seats_held;
alter table offering_slots drop constraint offering_slots_seats;
alter table offering_slots rename constraint offering_slots_seats_held to offering_slots_seats;

-- waiting → moved (a request was made) | left (by the student, or because the course can no longer be had) | expired
-- (the windows of the student's term are over)
alter table wait_list
  -- To improve a grade already passed: asked for when joining, never assumed when moved.
  add column improve boolean not null default false,
  drop constraint wait_list_state_check,
  add constraint wait_list_state_check check (state in ('waiting', 'moved', 'left', 'expired'));

-- What stands in the queues now. Free seats among them are held from here on.
update offering_slots s set waiting = q.waiting, held = greatest(least(q.waiting, s.quota - s.taken), 0)
  from (select slot_id, count(*)::int as waiting from wait_list cross join lateral unnest(offering_slot_ids) as u (slot_id)
    where state = 'waiting' group by 1) q
  where s.id = q.slot_id;

-- Seats and places are counted, not edited: they say nothing in the audit trail.
drop trigger audit_insert on offering_slots;
create trigger audit_insert after insert on offering_slots referencing new table as new_rows
  for each statement execute function audit_change('{id}', '{taken,waiting,held,search_text,version,created_at,updated_at}');
drop trigger audit_delete on offering_slots;
create trigger audit_delete after delete on offering_slots referencing old table as old_rows
  for each statement execute function audit_change('{id}', '{taken,waiting,held,search_text,version,created_at,updated_at}');
create or replace function audit_offering_slot() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
  select 'update', 'offering_slots', new.id, (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer,
    (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id', jsonb_object_agg(n.key, o.value), jsonb_object_agg(n.key, n.value)
  from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
  where n.value is distinct from o.value and n.key not in ('taken', 'waiting', 'held', 'version')
  having count(*) > 0;
  return null;
end $$;

-- Whoever takes a seat, takes none that is held. The queue gives back what it holds for somebody (`count_waiting`) in the
-- transaction in which it takes the seat.
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
    returning s.id, s.taken + s.held > s.quota and not l.over as above
  )
  select min(id) into full_slot from counted where above;
  if full_slot is not null then
    raise exception 'no free seat' using errcode = 'check_violation', constraint = 'registration_slots_seat_free',
      table = 'registration_slots', detail = full_slot::text;
  end if;
  return null;
end $$;

create or replace function give_back_seats() returns trigger language plpgsql as $$
begin
  perform 1 from offering_slots where id in (select offering_slot_id from gone) order by id for no key update;
  update offering_slots s set taken = s.taken - n.seats,
      held = greatest(s.held, least(s.waiting, s.quota - s.taken + n.seats))
    from (select offering_slot_id, count(*)::int as seats from gone group by 1) n
    where s.id = n.offering_slot_id;
  return null;
end $$;

-- Seats added to a quota are held as well; seats taken from it end the hold.
create function hold_added_seats() returns trigger language plpgsql as $$
begin
  new.held := greatest(least(new.waiting, new.quota - new.taken), 0);
  return new;
end $$;
create trigger hold_added_seats before update of quota, over_quota on offering_slots
  for each row when (new.waiting > 0 and (new.quota <> old.quota or new.over_quota < old.over_quota))
  execute function hold_added_seats();

-- Free seats that were let go while nobody could register are held again when the offering opens again.
create function hold_reopened_seats() returns trigger language plpgsql as $$
begin
  update offering_slots s set held = greatest(s.held, least(s.waiting, s.quota - s.taken))
    from (select id from offering_slots where offering_id = coalesce(new.linked_offering_id, new.id) and waiting > 0
      order by id for no key update) l
    where s.id = l.id;
  return null;
end $$;
create trigger hold_reopened_seats after update of is_open, control_status on offerings
  for each row when (new.is_open and new.control_status = 'Draft' and not (old.is_open and old.control_status = 'Draft'))
  execute function hold_reopened_seats();

-- So are they when a window for registering is set or moved: the queue looks again who may have them then.
create function hold_seats_of_window() returns trigger language plpgsql as $$
begin
  update offering_slots s set held = greatest(s.held, least(s.waiting, s.quota - s.taken))
    from (select x.id from offering_slots x where x.term_id = new.term_id and x.waiting > 0 order by x.id for no key update) l
    where s.id = l.id;
  return null;
end $$;
create trigger hold_seats_of_window after insert or update of starts_at, ends_at, stage_group_id, stage_code_id, removed_at on term_stages
  for each row execute function hold_seats_of_window();

-- Places that come, go and move, counted per meeting in order of id. Who moves up gives back the seat that was held,
-- and takes it in the same transaction; nobody gets between, because the meeting stays locked.
create function count_waiting() returns trigger language plpgsql as $$
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
        select slot_id, -1, (n.state = 'moved')::int from old_rows o join new_rows n using (id)
          cross join lateral unnest(o.offering_slot_ids) as u (slot_id) where o.state = 'waiting'
      ) p group by 1) c
      where c.came <> 0 or c.moved <> 0;
  end if;
  if ids is null then return null; end if;
  perform 1 from offering_slots where id = any (ids) order by id for no key update;
  update offering_slots s set waiting = s.waiting + c.came, held = greatest(least(s.held - c.moved, s.waiting + c.came), 0)
    from unnest(ids, came, moved) as c (id, came, moved) where s.id = c.id;
  return null;
end $$;
create trigger count_waiting_insert after insert on wait_list referencing new table as new_rows
  for each statement execute function count_waiting();
create trigger count_waiting_update after update on wait_list referencing old table as old_rows new table as new_rows
  for each statement execute function count_waiting();
create trigger count_waiting_delete after delete on wait_list referencing old table as old_rows
  for each statement execute function count_waiting();

-- A held seat is not free.
create or replace view offering_seats as
select offering_id,
  count(*)::int as groups,
  sum(meetings)::int as meetings,
  sum(unplaced)::int as unplaced,
  sum(quota)::int as seats,
  sum(over_quota)::int as over_seats,
  sum(free)::int as free
from (
  select offering_id, group_id, sum(meetings) as meetings, sum(unplaced) as unplaced, min(quota) as quota,
    min(over_quota) as over_quota, min(free) as free
  from (
    select offering_id, group_id, type, sum(meetings) as meetings, sum(unplaced) as unplaced, sum(quota) as quota,
      sum(over_quota) as over_quota, sum(free) as free
    from (
      select offering_id, group_id, type, coalesce(section, id::text || '#') as section, count(*) as meetings,
        count(*) filter (where day is null) as unplaced, min(quota) as quota, min(over_quota) as over_quota,
        min(greatest(quota - taken - held, 0)) as free
      from offering_slots group by 1, 2, 3, 4
    ) sections group by 1, 2, 3
  ) types group by 1, 2
) groups group by 1;
