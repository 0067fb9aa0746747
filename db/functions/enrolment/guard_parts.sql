-- Seats and marks of registrations: the offerings whose control is asked are found and locked by one statement. Those of a
-- registration that is removed go with it, and it has been asked about itself. A seat taken with a new registration was asked
-- about with it.
create or replace function guard_parts() returns trigger language plpgsql as $$
declare
  authority text := current_setting('ems.authority', true);
  refused text[];
begin
  if tg_op = 'DELETE' then
    with held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from old_rows d join registrations r on r.id = d.registration_id)
      order by o.id for key share of o)
    select array[h.id::text, h.control_status] into refused from held h
      where not control_allows(h.control_status, tg_argv[0], authority) order by h.id limit 1;
  else
    with held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from new_rows d join registrations r on r.id = d.registration_id)
      order by o.id for key share of o)
    select array[h.id::text, h.control_status] into refused from held h
      where not control_allows(h.control_status, tg_argv[0], authority) order by h.id limit 1;
  end if;
  if refused is not null then
    perform refuse_by_control(refused[1]::integer, refused[2], tg_argv[0]);
  end if;
  return null;
end $$;
