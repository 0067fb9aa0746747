-- Free seats that were let go while nobody could register are held again when the offering opens again.
create or replace function hold_reopened_seats() returns trigger language plpgsql as $$
begin
  update offering_slots s set held = greatest(s.held, least(s.waiting, s.quota - s.taken))
    from (select id from offering_slots where offering_id = coalesce(new.linked_offering_id, new.id) and waiting > 0
      order by id for no key update) l
    where s.id = l.id;
  return null;
end $$;
