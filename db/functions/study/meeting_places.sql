-- Where and when a meeting takes place, and on which days: its places in the order of time, the last one the present one.
create or replace function meeting_places(meeting integer)
returns table (place integer, day smallint, slot_id integer, location_id integer, from_date date, until_date date)
language sql stable as $$
  select m.id, m.day, m.slot_id, m.location_id, m.held_from, m.held_until from meeting_moves m
    where m.meeting_id = meeting and m.held_from is not null
  union all
  select null, s.day, s.slot_id, s.location_id, greatest(t.start_date,
      (select max(m.held_until) + 1 from meeting_moves m where m.meeting_id = meeting)), t.end_date
    from offering_slots s join terms t on t.id = s.term_id where s.id = meeting and s.day is not null
$$;
