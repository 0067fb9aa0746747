create or replace function touched_marks() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform note_touched((select string_agg(distinct r.id::text, ',') from old_rows n join registrations r on r.id = n.registration_id
      join offerings o on o.id = r.offering_id where o.control_status in ('Approved', 'Published', 'Frozen')));
  else
    perform note_touched((select string_agg(distinct r.id::text, ',') from new_rows n join registrations r on r.id = n.registration_id
      join offerings o on o.id = r.offering_id where o.control_status in ('Approved', 'Published', 'Frozen')));
  end if;
  return null;
end $$;
