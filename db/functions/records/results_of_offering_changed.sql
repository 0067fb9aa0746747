create or replace function results_of_offering_changed() returns trigger language plpgsql as $$
begin
  perform results_changed(array_agg(r.id order by r.id), null) from registrations r where r.offering_id = new.id;
  return null;
end $$;
