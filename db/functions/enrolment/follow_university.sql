-- Its courses follow a transfer to another university of the list.
create or replace function follow_university() returns trigger language plpgsql as $$
begin
  update equivalences set source_key = 'u' || new.university_id || substr(source_key, strpos(source_key, '|')) where external_transfer_id = new.id;
  return null;
end $$;
