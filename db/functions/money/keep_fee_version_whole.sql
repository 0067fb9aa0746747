-- Nothing is added to a version that others read already.
create or replace function keep_fee_version_whole() returns trigger language plpgsql as $$
begin
  if not exists (select from fee_versions v where v.id = new.version_id and v.made_in = pg_current_xact_id()) then
    raise exception 'A version of fee settings is never changed: save a new one' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
