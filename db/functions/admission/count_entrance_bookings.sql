-- Places are taken and given back as bookings come and end, appointment by appointment in one order, so that two statements never wait
-- for each other in a circle.
create or replace function count_entrance_bookings() returns trigger language plpgsql as $$
declare
  ids integer[];
  changes integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id order by id), array_agg(taken order by id) into ids, changes
      from (select appointment_id as id, count(*)::int as taken from new_rows where ended_at is null group by 1) moved;
  elsif tg_op = 'DELETE' then
    select array_agg(id order by id), array_agg(taken order by id) into ids, changes
      from (select appointment_id as id, -count(*)::int as taken from old_rows where ended_at is null group by 1) moved;
  else
    select array_agg(id order by id), array_agg(taken order by id) into ids, changes
      from (select id, sum(taken)::int as taken from (
          select appointment_id as id, 1 as taken from new_rows where ended_at is null
          union all select appointment_id, -1 from old_rows where ended_at is null) both_sides
        group by id having sum(taken) <> 0) moved;
  end if;
  for i in 1 .. coalesce(array_length(ids, 1), 0) loop
    update entrance_places set booked = booked + changes[i] where appointment_id = ids[i];
  end loop;
  return null;
end $$;
