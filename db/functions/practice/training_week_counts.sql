-- Weeks of a training, each with its places and how many are taken; one request may be left out.
create or replace function training_week_counts(training integer, but_for integer default null)
returns table (week integer, places integer, taken integer) language sql stable as $$
  select w.week, coalesce(p.places, y.places)::integer,
    (select count(*)::integer from students_trainings a
      where a.training_id = y.id and a.removed_at is null and a.status in ('accepted', 'approved') and a.id is distinct from but_for
        and w.week between coalesce(a.from_week, 1) and coalesce(a.until_week, 1000))
  from trainings y cross join lateral generate_series(1, ceil((y.ends_on - y.starts_on + 1) / 7.0)::integer) as w(week)
    left join training_week_places p on p.training_id = y.id and p.week = w.week
  where y.id = training
$$;
