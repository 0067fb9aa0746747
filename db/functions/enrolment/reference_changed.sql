create or replace function reference_changed() returns trigger language plpgsql as $$
begin
  update registration_reference set version = version + 1;
  return null;
end $$;
