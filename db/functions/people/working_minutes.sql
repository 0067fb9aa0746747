-- Minutes between two instants that lie in working hours: from `opens` to `closes` on Sunday to Thursday, in the university's zone.
create or replace function working_minutes(since timestamptz, until timestamptz, opens time, closes time) returns integer
language sql stable as $$
  select coalesce(sum(extract(epoch from least(x.until, d + closes) - greatest(x.since, d + opens)) / 60), 0)::integer
  from (select since at time zone university_zone() as since, until at time zone university_zone() as until) x,
    generate_series(date_trunc('day', x.since), x.until, interval '1 day') d
  where extract(dow from d) not in (5, 6) and least(x.until, d + closes) > greatest(x.since, d + opens)
$$;

-- The same on the working days of the university's `week`.
create or replace function working_minutes(since timestamptz, until timestamptz, opens time, closes time, week text) returns integer
language sql stable as $$
  select coalesce(sum(extract(epoch from least(x.until, d + closes) - greatest(x.since, d + opens)) / 60), 0)::integer
  from (select since at time zone university_zone() as since, until at time zone university_zone() as until) x,
    generate_series(date_trunc('day', x.since), x.until, interval '1 day') d
  where extract(dow from d) <> all (case week when 'sun_thu' then array[5, 6] when 'sat_thu' then array[5] when 'sat_wed' then array[4, 5]
      when 'mon_fri' then array[0, 6] else array[]::int[] end)
    and least(x.until, d + closes) > greatest(x.since, d + opens)
$$;
