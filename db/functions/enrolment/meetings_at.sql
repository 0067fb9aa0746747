-- What stands against an exam within a time of one day, because it is taught then: weekly meetings, as long as that lies ahead, and
-- meetings that are made up.
create or replace function meetings_at(at tsrange)
returns table (meeting_id integer, offering_id integer, location_id integer) language sql stable as $$
  select w.meeting_id, w.offering_id, w.location_id from weekly_meetings_on(lower(at)::date) w
    where w.held && at and upper(at) > now() at time zone university_zone()
  union
  select m.meeting_id, m.offering_id, m.location_id from meetings_made_up(at) m
$$;
