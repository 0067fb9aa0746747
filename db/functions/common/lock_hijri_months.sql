-- Months follow each other and have 29 or 30 days. Who writes them waits for who else does.
create or replace function lock_hijri_months() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('hijri months'));
  return null;
end $$;
