-- Seats of a hall that are kept free for who comes late: a share or a number of them, whichever is more; one is always left to plan with.
create or replace function exam_reserve(seats integer, percent integer, number integer) returns integer language sql immutable as $$
  select greatest(0, least(seats - 1, greatest(ceil(seats * percent / 100.0)::int, number)))
$$;
