-- A room keeps the places of what is planned in it. Planning holds the room (`for share`) while it looks at its capacity.
create or replace function refuse_smaller_room() returns trigger language plpgsql as $$
declare
  planned record;
begin
  select m.quota + m.over_quota as seats, c.code as course into planned
    from offering_slots m join offerings o on o.id = m.offering_id and o.removed_at is null join courses c on c.id = o.course_id
    join terms t on t.id = m.term_id and t.end_date >= university_today()
    where m.location_id = new.id order by seats desc limit 1;
  if planned.seats > new.capacity then
    raise exception using errcode = 'UE409', message = 'location_capacity_planned',
      detail = json_build_object('seats', planned.seats, 'course', planned.course, 'capacity', new.capacity)::text;
  end if;
  return new;
end $$;
