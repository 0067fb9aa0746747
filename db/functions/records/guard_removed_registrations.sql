create or replace function guard_removed_registrations() returns trigger language plpgsql as $$
declare
  held record;
begin
  for held in select o.id, o.control_status from offerings o
    where o.id in (select offering_id from old_rows) order by o.id for key share of o
  loop
    if not control_allows(held.control_status, 'enrolment', current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, 'enrolment');
    end if;
  end loop;
  return null;
end $$;
