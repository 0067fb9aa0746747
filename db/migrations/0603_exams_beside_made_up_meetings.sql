-- A meeting that is made up takes its room and its instructors on that day: exams know it, whoever plans them.

-- Meetings that are made up within a time of one day, by their regular or their Ramadan time.
create function meetings_made_up(at tsrange)
returns table (meeting_id integer, offering_id integer, location_id integer) language sql stable as $$
  select x.offering_slot_id, x.offering_id, x.location_id from meeting_occurrences x join slots p on p.id = x.slot_id
    join offerings o on o.id = x.offering_id and o.removed_at is null
  where x.date = lower(at)::date and x.makes_up_id is not null and x.cancelled_at is null
    and (tsrange(x.date + p.start_time, x.date + p.end_time) && at
      or tsrange(x.date + p.ramadan_start_time, x.date + p.ramadan_end_time) && at)
$$;

-- What of an exam's halls and of its people is not to be had in its slots for that, as its own closures are.
create function closed_by_meetings(of_exam integer)
returns table (on_date date, exam_slot_id integer, location_id integer, instructor_id integer, meeting_id integer) language sql stable as $$
  with held as materialized (
    select d.on_date, t.exam_slot_id, m.meeting_id, m.location_id
    from exam_days d join exam_times t on t.exam_id = d.exam_id
      cross join lateral meetings_made_up(exam_time(d.on_date, t.exam_slot_id, null)) m
    where d.exam_id = of_exam)
  select h.on_date, h.exam_slot_id, h.location_id, null::integer, h.meeting_id from held h
    where h.location_id in (select x.location_id from exam_halls x join locations l on l.id = x.location_id and l.location_type <> 'online'
      where x.exam_id = of_exam)
  union all
  select h.on_date, h.exam_slot_id, null::integer, i.instructor_id, h.meeting_id
    from held h join offering_slot_instructors i on i.offering_slot_id = h.meeting_id
$$;

create function refuse_exam_beside_meeting(hall integer) returns void language plpgsql as $$
begin
  raise exception using errcode = '23P01', constraint = 'exam_hall_meeting', message = format('a meeting is made up in hall %s then', hall);
end $$;

-- Exams come into a hall in which no meeting is made up then. The hall is held by the guard of its seats, which ran before.
create function guard_exam_meetings() returns trigger language plpgsql as $$
declare
  hall integer;
begin
  if tg_op = 'UPDATE' then
    select n.location_id into hall from new_rows n join old_rows o on o.id = n.id
      join locations l on l.id = n.location_id and l.location_type <> 'online'
      where (n.location_id, n.during) is distinct from (o.location_id, o.during)
        and exists (select from meetings_made_up(n.during) m where m.location_id = n.location_id) limit 1;
  else
    select n.location_id into hall from new_rows n join locations l on l.id = n.location_id and l.location_type <> 'online'
      where exists (select from meetings_made_up(n.during) m where m.location_id = n.location_id) limit 1;
  end if;
  if hall is not null then perform refuse_exam_beside_meeting(hall); end if;
  return null;
end $$;
create trigger guard_meetings_added after insert on exam_schedule_locations referencing new table as new_rows
  for each statement execute function guard_exam_meetings();
create trigger guard_meetings_changed after update on exam_schedule_locations referencing old table as old_rows new table as new_rows
  for each statement execute function guard_exam_meetings();

-- A plan that nobody sees yet gives way: a meeting is made up in its hall, and the exam has to go elsewhere before it is published.
create function guard_published_halls() returns trigger language plpgsql as $$
declare
  hall integer;
begin
  perform from locations where id in (select l.location_id from exam_schedule_locations l where l.exam_id = new.id) order by id for no key update;
  select l.location_id into hall from exam_schedule_locations l join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
    join locations p on p.id = l.location_id and p.location_type <> 'online'
    where l.exam_id = new.id and lower(l.during) > now() at time zone university_zone()
      and exists (select from meetings_made_up(l.during) m where m.location_id = l.location_id) limit 1;
  if hall is not null then perform refuse_exam_beside_meeting(hall); end if;
  return null;
end $$;
create trigger guard_published_halls after update of status on exams for each row
  when (new.status = 'published' and old.status <> 'published') execute function guard_published_halls();

-- And a meeting comes into a hall in which no published exam is held then.
create function guard_meeting_hall() returns trigger language plpgsql as $$
begin
  perform from locations where id = new.location_id for no key update;
  if exists (select from exam_schedule_locations l join exams e on e.id = l.exam_id and e.status = 'published'
      join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
      join slots p on p.id = new.slot_id join locations r on r.id = l.location_id and r.location_type <> 'online'
      where l.location_id = new.location_id
        and (l.during && tsrange(new.date + p.start_time, new.date + p.end_time)
          or l.during && tsrange(new.date + p.ramadan_start_time, new.date + p.ramadan_end_time))) then
    perform refuse_exam_beside_meeting(new.location_id);
  end if;
  return null;
end $$;
create constraint trigger guard_hall after insert or update of cancelled_at, date, slot_id, location_id on meeting_occurrences
  for each row when (new.makes_up_id is not null and new.cancelled_at is null and new.location_id is not null)
  execute function guard_meeting_hall();
