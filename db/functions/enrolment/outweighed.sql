-- Of two that are exchanged only one will stand: the heavier weighs on the load, the other does not.
create or replace function outweighed(registration integer) returns boolean language sql stable as $$
  select exists (
    select from registration_exchanges x join registrations n on n.id = x.registration_id join registrations g on g.id = x.gives_up_id
    where (x.registration_id = $1 or x.gives_up_id = $1) and $1 = case when g.credit_hours > n.credit_hours then n.id else g.id end)
$$;
