-- Whoever moves a meeting, by whatever way: what was held stays as it was held. The move counts from today, from tomorrow
-- when today's meeting has begun already.
create or replace function keep_meeting_move() returns trigger language plpgsql as $$
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
