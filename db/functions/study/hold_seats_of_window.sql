-- So are they when a window for registering is set or moved: the queue looks again who may have them then.
create or replace function hold_seats_of_window() returns trigger language plpgsql as $$
begin
  update offering_slots s set held = greatest(s.held, least(s.waiting, s.quota - s.taken))
    from (select x.id from offering_slots x where x.term_id = new.term_id and x.waiting > 0 order by x.id for no key update) l
    where s.id = l.id;
  return null;
end $$;
