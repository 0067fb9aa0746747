create or replace function guard_scheme() returns trigger language plpgsql as $$
declare
  held record;
  touched integer[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct offering_id) into touched from old_rows;
  else
    select array_agg(distinct offering_id) into touched from new_rows;
  end if;
  for held in select o.id, o.control_status from offerings o where o.id = any (touched) order by o.id for key share of o loop
    if not control_allows(held.control_status, 'scheme', current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, 'scheme');
    end if;
  end loop;
  return null;
end $$;
