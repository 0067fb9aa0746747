-- A registered course is given up for another only once that other is accepted. Until then the request holds its own seat
-- and the course stays what it is; rejected or taken back, the request goes and nothing else has changed.

-- A request, and the registration that is given up in the moment in which it is accepted.
create table registration_exchanges (
  registration_id integer primary key references registrations on delete cascade,
  gives_up_id integer not null references registrations on delete cascade,
  constraint registration_exchanges_two check (registration_id <> gives_up_id),
  -- One course is given up for one other at a time.
  constraint swap_under_way unique (gives_up_id)
);
select audit_rows('registration_exchanges', 'registration_id');

-- The pair ends with either of its two: the request is answered, or the course has left by another way. A request that is
-- accepted while the course would stay is refused, whoever writes. 3145728 is RegisterRequest and AddRequest, 262144
-- Registered, 29622272 Registered and the requests to leave.
create function end_exchange_of_request() returns trigger language plpgsql as $$
begin
  if new.status & 262144 <> 0 and exists (
    select from registration_exchanges x join registrations g on g.id = x.gives_up_id
    where x.registration_id = new.id and g.status & 29622272 <> 0) then
    raise exception 'both of an exchange' using errcode = 'check_violation', constraint = 'swap_both', table = 'registrations';
  end if;
  delete from registration_exchanges where registration_id = new.id;
  return null;
end $$;
create trigger exchange_of_request after update of status on registrations
  for each row when (old.status & 3145728 <> 0 and new.status & 3145728 = 0) execute function end_exchange_of_request();

create function end_exchange_of_given() returns trigger language plpgsql as $$
begin
  delete from registration_exchanges where gives_up_id = new.id;
  return null;
end $$;
create trigger exchange_of_given after update of status on registrations
  for each row when (old.status & 29622272 <> 0 and new.status & 29622272 = 0) execute function end_exchange_of_given();

-- Of two that are exchanged only one will stand: the heavier weighs on the load, the other does not.
create function outweighed(registration integer) returns boolean language sql stable as $$
  select exists (
    select from registration_exchanges x join registrations n on n.id = x.registration_id join registrations g on g.id = x.gives_up_id
    where (x.registration_id = $1 or x.gives_up_id = $1) and $1 = case when g.credit_hours > n.credit_hours then n.id else g.id end)
$$;
