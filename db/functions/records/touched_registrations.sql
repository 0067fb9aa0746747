create or replace function touched_registrations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_touched((select string_agg(n.id::text, ',') from new_rows n join offerings o on o.id = n.offering_id
      where o.control_status in ('Approved', 'Published', 'Frozen')));
  elsif tg_op = 'DELETE' then
    perform note_touched((select string_agg(n.id::text, ',') from old_rows n join offerings o on o.id = n.offering_id
      where o.control_status in ('Approved', 'Published', 'Frozen')));
  else
    perform note_touched((select string_agg(distinct n.id::text, ',') from (select id, offering_id from new_rows
        union select id, offering_id from old_rows) n join offerings o on o.id = n.offering_id
      where o.control_status in ('Approved', 'Published', 'Frozen')));
  end if;
  return null;
end $$;
