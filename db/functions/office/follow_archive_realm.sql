-- What lies in a folder goes with it.
create or replace function follow_archive_realm() returns trigger language plpgsql as $$
begin
  update archive_entries set
    realm_id = case when inherits then new.realm_id else realm_id end,
    realm_above = case when inherits then null else new.realm_id end
  where parent_id = new.id;
  return null;
end $$;
