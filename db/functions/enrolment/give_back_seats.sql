create or replace function give_back_seats() returns trigger language plpgsql as $$
begin
  perform 1 from offering_slots where id in (select offering_slot_id from gone) order by id for no key update;
  update offering_slots s set taken = s.taken - n.seats,
      held = greatest(s.held, least(s.waiting, s.quota - s.taken + n.seats))
    from (select offering_slot_id, count(*)::int as seats from gone group by 1) n
    where s.id = n.offering_slot_id;
  return null;
end $$;
