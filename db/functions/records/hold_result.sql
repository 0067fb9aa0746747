create or replace function hold_result(ids integer[]) returns void language plpgsql as $$
begin
  perform from offerings o where o.id in (select r.offering_id from registrations r where r.id = any (ids)) order by o.id for share;
  perform from registrations r where r.id = any (ids) order by r.id for share;
end $$;
