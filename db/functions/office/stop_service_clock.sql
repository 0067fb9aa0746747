-- A request that waits for nobody's work is not late.
create or replace function stop_service_clock() returns trigger language plpgsql as $$
begin
  if new.status not in ('New', 'in review') then
    new.due_on := null;
  end if;
  return new;
end $$;
