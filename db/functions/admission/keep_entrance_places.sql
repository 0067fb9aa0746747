-- An appointment has as many places as it says, and none once it is removed: with people in it, it stays.
create or replace function keep_entrance_places() returns trigger language plpgsql as $$
begin
  insert into entrance_places (appointment_id, capacity)
    values (new.id, case when new.removed_at is null then new.capacity else 0 end)
  on conflict (appointment_id) do update set capacity = excluded.capacity;
  return null;
end $$;
