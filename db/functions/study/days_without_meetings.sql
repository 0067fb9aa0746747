-- Days on which the weekly meetings of an offering do not take place, between two days: those without lectures and its exam weeks.
create or replace function days_without_meetings(offering integer, since date, until date) returns setof date language sql stable as $$
  select d from offerings o cross join lateral days_without_teaching(o.faculty_id, since, until) as x (d) where o.id = offering
  union
  select x.d::date from offerings o join exam_weeks w on w.term_id = o.term_id and w.removed_at is null
      and (w.faculty_id is null or w.faculty_id = o.faculty_id) and (w.level is null or w.level = o.level)
    cross join generate_series(greatest(w.start_date, since)::timestamp, least(w.end_date, until)::timestamp, interval '1 day') as x (d)
  where o.id = offering and w.start_date <= until and w.end_date >= since
$$;
