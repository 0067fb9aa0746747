-- Places are taken and given back as bookings come and end, appointment by appointment in one order, so that two statements never wait
-- for each other in a circle.
create or replace function count_entrance_bookings() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute case tg_op
    when 'INSERT' then 'select appointment_id as id, count(*)::int as by from new_rows where ended_at is null group by 1 order by 1'
    when 'DELETE' then 'select appointment_id as id, -count(*)::int as by from old_rows where ended_at is null group by 1 order by 1'
    else 'select id, sum(by)::int as by from (
        select appointment_id as id, 1 as by from new_rows where ended_at is null
        union all select appointment_id, -1 from old_rows where ended_at is null) moved
      group by id having sum(by) <> 0 order by id'
  end loop
    update entrance_places set booked = booked + change.by where appointment_id = change.id;
  end loop;
  return null;
end $$;
