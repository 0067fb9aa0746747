-- Seats are counted by the database itself, whoever writes: no slot above its quota (quota + over_quota for those who may), and
-- `taken` always equals the seats held. In one statement: lock in order of id, so that two people never wait for each other,
-- count, look for what is above the quota. Whoever takes a seat, takes none that is held: the queue gives back what it holds
-- for somebody (`count_waiting`) in the transaction in which it takes the seat.
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
