-- The pair ends with either of its two: the request is answered, or the course has left by another way. A request that is
-- accepted while the course would stay is refused, whoever writes. 3145728 is RegisterRequest and AddRequest, 262144
-- Registered, 29622272 Registered and the requests to leave.
create or replace function end_exchange_of_request() returns trigger language plpgsql as $$
begin
  if new.status & 262144 <> 0 and exists (
    select from registration_exchanges x join registrations g on g.id = x.gives_up_id
    where x.registration_id = new.id and g.status & 29622272 <> 0) then
    raise exception 'both of an exchange' using errcode = 'check_violation', constraint = 'swap_both', table = 'registrations';
  end if;
  delete from registration_exchanges where registration_id = new.id;
  return null;
end $$;
