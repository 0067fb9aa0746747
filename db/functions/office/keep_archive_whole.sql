-- What is there lies in what is there. Looked at when all is done: a folder is removed and restored with what is in it.
create or replace function keep_archive_whole() returns trigger language plpgsql as $$
begin
  if exists (
    select from archive_entries e join archive_entries p on p.id = e.parent_id
    where e.id = new.id and e.removed_at is null and p.removed_at is not null
  ) or exists (
    select from archive_entries e join archive_entries c on c.parent_id = e.id
    where e.id = new.id and e.removed_at is not null and c.removed_at is null
  ) then
    raise exception using errcode = 'UE409', message = 'archive_folder_removed', detail = '{}';
  end if;
  return null;
end $$;
