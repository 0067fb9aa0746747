-- Seats added to a quota are held as well; seats taken from it end the hold.
create or replace function hold_added_seats() returns trigger language plpgsql as $$
begin
  new.held := greatest(least(new.waiting, new.quota - new.taken), 0);
  return new;
end $$;
