-- Nothing is closed in which somebody stays. The room is held, so that nobody is given a bed in it meanwhile.
create or replace function guard_bed_closing() returns trigger language plpgsql as $$
begin
  perform from hostel_rooms where id = new.room_id for no key update;
  if new.bed_id is not null and not exists (select from hostel_beds where id = new.bed_id and room_id = new.room_id) then
    raise exception using errcode = '23514', constraint = 'closing_elsewhere', message = 'the bed stands in another room';
  end if;
  if exists (select from hotel_reservations s join hostel_beds b on b.id = s.bed_id
      where b.room_id = new.room_id and (new.bed_id is null or b.id = new.bed_id) and s.period && daterange(new.from_day, new.until_day, '[)')
        and s.status in ('confirmed', 'checked_in') and s.removed_at is null) then
    raise exception using errcode = '23514', constraint = 'closing_stays', message = 'somebody stays there';
  end if;
  return new;
end $$;
