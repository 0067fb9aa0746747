-- Places that come, go and move, counted per meeting in order of id. Who moves up gives back the seat that was held,
-- and takes it in the same transaction; nobody gets between, because the meeting stays locked.
create or replace function count_waiting() returns trigger language plpgsql as $$
declare
  ids integer[];
  came integer[];
  moved integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(slot_id), array_agg(n), array_agg(0) into ids, came, moved from (
      select slot_id, count(*)::int as n from new_rows cross join lateral unnest(offering_slot_ids) as u (slot_id)
      where state = 'waiting' group by 1) c;
  elsif tg_op = 'DELETE' then
    select array_agg(slot_id), array_agg(-n), array_agg(0) into ids, came, moved from (
      select slot_id, count(*)::int as n from old_rows cross join lateral unnest(offering_slot_ids) as u (slot_id)
      where state = 'waiting' group by 1) c;
  else
    select array_agg(slot_id), array_agg(c.came), array_agg(c.moved) into ids, came, moved from (
      select slot_id, sum(p.came)::int as came, sum(p.moved)::int as moved from (
        select slot_id, 1 as came, 0 as moved from new_rows cross join lateral unnest(offering_slot_ids) as u (slot_id)
          where state = 'waiting'
        union all
        select slot_id, -1, (c.state = 'moved')::int from (
            select o.offering_slot_ids, o.state as was, n.state from old_rows o full join new_rows n on n.id = o.id offset 0) c
          cross join lateral unnest(c.offering_slot_ids) as u (slot_id) where c.was = 'waiting'
      ) p group by 1) c
      where c.came <> 0 or c.moved <> 0;
  end if;
  if ids is null then return null; end if;
  perform 1 from offering_slots where id = any (ids) order by id for no key update;
  update offering_slots s set waiting = s.waiting + c.came, held = greatest(least(s.held - c.moved, s.waiting + c.came), 0)
    from unnest(ids, came, moved) as c (id, came, moved) where s.id = c.id;
  return null;
end $$;
