create or replace function place_archive_entry() returns trigger language plpgsql as $$
declare
  around archive_entries;
  depth integer;
begin
  perform lock_archive();
  if new.parent_id is null then
    new.realm_id := new.id;
    return new;
  end if;
  select * into around from archive_entries where id = new.parent_id;
  if around.kind <> 'folder' then
    raise exception using errcode = 'UE409', message = 'archive_not_a_folder', detail = '{}';
  end if;
  if exists (select from archive_up(new.parent_id) u where u.id = new.id) then
    raise exception using errcode = 'UE409', message = 'archive_into_itself', detail = '{}';
  end if;
  select max(above) + 1 into depth from archive_up(new.parent_id);
  if depth > 30 then
    raise exception using errcode = 'UE409', message = 'archive_too_deep', detail = '{"max": 30}';
  end if;
  new.realm_id := case when new.inherits then around.realm_id else new.id end;
  new.realm_above := case when new.inherits then null else around.realm_id end;
  return new;
end $$;
