-- Whoever is given a bed finds it there, open, and in a room for him or her. The room is held: who closes it, or changes for whom it
-- is, comes before or after.
create or replace function guard_bed_stay() returns trigger language plpgsql as $$
declare
  room hostel_rooms;
begin
  select r.* into room from hostel_rooms r join hostel_beds b on b.room_id = r.id where b.id = new.bed_id for share of r;
  if room.removed_at is not null then
    raise exception using errcode = '23514', constraint = 'bed_removed', message = 'the room was removed';
  end if;
  if room.gender <> 'families' and new.gender is not null and new.gender <> (case room.gender when 'men' then 1 else 2 end) then
    raise exception using errcode = '23514', constraint = 'bed_gender', message = 'the room is for others';
  end if;
  if exists (select from bed_closings c where c.room_id = room.id and coalesce(c.bed_id, new.bed_id) = new.bed_id
      and c.period && daterange(new.from_day, new.until_day, '[)') and c.removed_at is null) then
    raise exception using errcode = '23514', constraint = 'bed_closed', message = 'the bed is closed';
  end if;
  return new;
end $$;
