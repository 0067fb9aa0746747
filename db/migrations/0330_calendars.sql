-- Calendars in layers, moves of weekly meetings, and the days on which a meeting takes place.

create table calendar_events (
  id integer generated always as identity primary key,
  layer text not null check (layer in ('university', 'faculty', 'students', 'staff', 'ramadan')),
  name text not null,
  name_local text not null,
  start_date date not null,
  end_date date not null,
  -- Both, or the whole day.
  start_time time,
  end_time time,
  -- A layer of students or staff may be that of one faculty.
  faculty_id integer references faculties,
  -- Meetings do not take place on these days.
  no_teaching boolean not null default false,
  colour text not null default 'blue' check (colour in ('blue', 'green', 'amber', 'red', 'slate')),
  search_text text generated always as (fold_text(name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_events_order check (start_date <= end_date),
  constraint calendar_events_length check (end_date - start_date <= 366),
  constraint calendar_events_hours check ((start_time is null) = (end_time is null)),
  constraint calendar_events_hours_order check (start_date < end_date or start_time < end_time),
  constraint calendar_events_faculty check (case layer when 'faculty' then faculty_id is not null
    when 'university' then faculty_id is null when 'ramadan' then faculty_id is null else true end),
  -- A day off of those who work here, and Ramadan, take no lecture away.
  constraint calendar_events_teaching check (not no_teaching or layer in ('university', 'faculty', 'students')),
  -- Lectures are held on a day or not.
  constraint calendar_events_whole_days check (not no_teaching or start_time is null)
);
create index calendar_events_days on calendar_events (start_date, end_date) where removed_at is null;
create index calendar_events_of_faculty on calendar_events (faculty_id);
select audit_table('calendar_events');

-- Where and when a meeting was before it was moved, who moved it, and on which days it was held there.
create table meeting_moves (
  id integer generated always as identity primary key,
  meeting_id integer not null references offering_slots on delete cascade,
  moved_at timestamptz not null default clock_timestamp(),
  moved_by integer references users,
  day smallint,
  slot_id integer references slots,
  location_id integer references locations,
  to_day smallint,
  to_slot_id integer references slots,
  to_location_id integer references locations,
  -- Days of the earlier place, both included; empty: it was never held there.
  held_from date,
  held_until date,
  reason text,
  -- Clashes that were known and wanted.
  overridden text[] not null default '{}',
  constraint meeting_moves_held check ((held_from is null) = (held_until is null) and held_from <= held_until)
);
create index meeting_moves_meeting on meeting_moves (meeting_id, id);
create index meeting_moves_by on meeting_moves (moved_by);
create index meeting_moves_slot on meeting_moves (slot_id);
create index meeting_moves_to_slot on meeting_moves (to_slot_id);
create index meeting_moves_location on meeting_moves (location_id);
create index meeting_moves_to_location on meeting_moves (to_location_id);

-- Day of the week as meetings are kept: 0 is Saturday.
create function week_place(day date) returns integer language sql immutable parallel safe
return (extract(dow from day)::integer + 1) % 7;

-- Whoever moves a meeting, by whatever way: what was held stays as it was held. The move counts from today, from tomorrow
-- when today's meeting has begun already.
create function keep_meeting_move() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  here timestamp := now() at time zone university_zone();
  first date;
  last date;
  since date;
begin
  if old.day is not null then
    select greatest(t.start_date, (select max(m.held_until) + 1 from meeting_moves m where m.meeting_id = old.id)),
        least(t.end_date, here::date - case when week_place(here::date) = old.day
          and here::time >= (select case when r.is_ramadan then p.ramadan_start_time else p.start_time end
            from slots p left join ramadan_status r on r.kind = 'slots' where p.id = old.slot_id) then 0 else 1 end)
      into first, last from terms t where t.id = old.term_id;
    if first <= last then since := first; else last := null; end if;
  end if;
  insert into meeting_moves (meeting_id, moved_by, day, slot_id, location_id, to_day, to_slot_id, to_location_id, held_from, held_until, reason)
  values (old.id, (who ->> 'actor_id')::integer, old.day, old.slot_id, old.location_id, new.day, new.slot_id, new.location_id,
    since, last, who ->> 'reason');
  return null;
end $$;
create trigger keep_move after update of day, slot_id, location_id on offering_slots for each row
  when ((old.day, old.slot_id, old.location_id) is distinct from (new.day, new.slot_id, new.location_id))
  execute function keep_meeting_move();

-- Where and when a meeting takes place, and on which days: its places in the order of time, the last one the present one.
create function meeting_places(meeting integer)
returns table (place integer, day smallint, slot_id integer, location_id integer, from_date date, until_date date)
language sql stable as $$
  select m.id, m.day, m.slot_id, m.location_id, m.held_from, m.held_until from meeting_moves m
    where m.meeting_id = meeting and m.held_from is not null
  union all
  select null, s.day, s.slot_id, s.location_id, greatest(t.start_date,
      (select max(m.held_until) + 1 from meeting_moves m where m.meeting_id = meeting)), t.end_date
    from offering_slots s join terms t on t.id = s.term_id where s.id = meeting and s.day is not null
$$;

-- Days without lectures of a part of the university, between two days.
create function days_without_teaching(faculty integer, since date, until date) returns setof date language sql stable as $$
  select distinct x.d::date from calendar_events e
    cross join generate_series(greatest(e.start_date, since)::timestamp, least(e.end_date, until)::timestamp, interval '1 day') as x (d)
  where e.removed_at is null and e.no_teaching and e.start_date <= until and e.end_date >= since
    and (e.faculty_id is null or e.faculty_id = faculty)
$$;

-- The days on which a weekly meeting takes place, with the period and the room it then has.
create function teaching_dates(meeting integer) returns table (on_date date, slot_id integer, location_id integer)
language sql stable as $$
  select x.d::date, p.slot_id, p.location_id
  from offering_slots s join offerings o on o.id = s.offering_id
    cross join meeting_places(s.id) p
    cross join generate_series(p.from_date + (p.day - week_place(p.from_date) + 7) % 7, p.until_date::timestamp, interval '7 days') as x (d)
  where s.id = meeting and x.d::date not in (select days_without_teaching(o.faculty_id, p.from_date, p.until_date))
  order by 1
$$;
