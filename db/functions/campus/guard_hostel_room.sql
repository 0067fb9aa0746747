-- A room does not become one for others, or go, while somebody stays in it or will.
create or replace function guard_hostel_room() returns trigger language plpgsql as $$
begin
  if exists (select from hotel_reservations s join hostel_beds b on b.id = s.bed_id
      where b.room_id = new.id and s.status in ('confirmed', 'checked_in') and s.removed_at is null
        and (new.removed_at is not null
          or (new.gender <> 'families' and s.gender is not null and s.gender <> (case new.gender when 'men' then 1 else 2 end)))) then
    raise exception using errcode = '23514', constraint = 'room_stays', message = 'somebody stays there';
  end if;
  return new;
end $$;
