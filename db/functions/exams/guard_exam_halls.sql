-- A hall never holds more than it has places, whatever exams share it at a time; nor one exam more than it may use there.
create or replace function guard_exam_halls() returns trigger language plpgsql as $$
declare
  over record;
begin
  -- Who fills the same hall at this moment is waited for.
  perform from locations where id in (select location_id from new_rows) order by id for no key update;
  select l.location_id into over
    from (select distinct location_id, during from new_rows) n
      join exam_schedule_locations l on l.location_id = n.location_id and l.during && n.during
      join locations p on p.id = l.location_id and p.location_type <> 'online'
      join exam_halls h on h.exam_id = l.exam_id and h.location_id = l.location_id
      join exam_schedule_locations b on b.location_id = l.location_id and b.during @> lower(l.during)
    group by l.id, l.location_id, l.exam_id, p.capacity, h.seats, n.during
    having sum(b.seats) > p.capacity or sum(b.seats) filter (where b.exam_id = l.exam_id) > h.seats
    limit 1;
  if found then
    raise exception using errcode = '23514', constraint = 'exam_hall_full', message = format('hall %s is full', over.location_id);
  end if;
  -- Nothing else is held where a student has a room alone, and nothing begins where somebody still writes who has more time.
  select l.location_id, l.own_room or b.own_room as alone into over
    from (select distinct location_id, during from new_rows) n
      join exam_schedule_locations l on l.location_id = n.location_id and l.during && n.during and (l.own_room or l.extra > 0)
      join exam_schedule_locations b on b.location_id = l.location_id and b.id <> l.id and b.during && l.during
      join locations p on p.id = l.location_id and p.location_type <> 'online'
    where l.own_room or lower(b.during) >= upper(l.during) - make_interval(mins => l.extra)
    limit 1;
  if found then
    raise exception using errcode = '23514', constraint = case when over.alone then 'exam_room_alone' else 'exam_hall_longer' end,
      message = format('hall %s is held for a student', over.location_id);
  end if;
  return null;
end $$;
