-- How long an exam lasts for who has so many percent more time: begun minutes count.
create or replace function exam_longer(during tsrange, percent integer) returns tsrange language sql immutable as $$
  select case when percent is null then during else
    tsrange(lower(during), upper(during) + make_interval(mins => ceil(extract(epoch from upper(during) - lower(during)) / 60 * percent / 100)::int)) end
$$;
