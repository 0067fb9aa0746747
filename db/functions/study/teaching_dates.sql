-- The days on which a weekly meeting takes place, with the period and the room it then has.
create or replace function teaching_dates(meeting integer) returns table (on_date date, slot_id integer, location_id integer)
language sql stable as $$
  select x.d::date, p.slot_id, p.location_id
  from offering_slots s
    cross join meeting_places(s.id) p
    cross join generate_series(p.from_date + (p.day - week_place(p.from_date) + 7) % 7, p.until_date::timestamp, interval '7 days') as x (d)
  where s.id = meeting and x.d::date not in (select days_without_meetings(s.offering_id, p.from_date, p.until_date))
  order by 1
$$;
