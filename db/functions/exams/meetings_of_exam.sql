-- What is taught on the days of an exam, in each of its slots that lies ahead.
create or replace function meetings_of_exam(of_exam integer)
returns table (on_date date, exam_slot_id integer, meeting_id integer, location_id integer) language sql stable as $$
  with at as materialized (
    select d.on_date, t.exam_slot_id, x.held from exam_days d join exam_times t on t.exam_id = d.exam_id
      cross join lateral (select exam_time(d.on_date, t.exam_slot_id, null) as held) x
    where d.exam_id = of_exam and upper(x.held) > now() at time zone university_zone()),
  weekly as materialized (select d.on_date, m.* from (select distinct a.on_date from at a) d cross join lateral weekly_meetings_on(d.on_date) m)
  select a.on_date, a.exam_slot_id, w.meeting_id, w.location_id from at a join weekly w on w.on_date = a.on_date and w.held && a.held
  union
  select a.on_date, a.exam_slot_id, m.meeting_id, m.location_id from at a cross join lateral meetings_made_up(a.held) m
$$;
