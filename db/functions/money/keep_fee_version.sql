create or replace function keep_fee_version() returns trigger language plpgsql as $$
begin
  raise exception 'A version of fee settings is never changed: save a new one' using errcode = 'insufficient_privilege';
end $$;
