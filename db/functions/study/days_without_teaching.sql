-- Days without lectures of a part of the university, between two days.
create or replace function days_without_teaching(faculty integer, since date, until date) returns setof date language sql stable as $$
  select distinct x.d::date from calendar_events e
    cross join generate_series(greatest(e.start_date, since)::timestamp, least(e.end_date, until)::timestamp, interval '1 day') as x (d)
  where e.removed_at is null and e.no_teaching and e.start_date <= until and e.end_date >= since
    and (e.faculty_id is null or e.faculty_id = faculty)
$$;
