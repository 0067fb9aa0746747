-- A publication was merged into another: what came of projects is the one that stays, once.
create or replace function follow_merged_publication() returns trigger language plpgsql as $$
begin
  insert into project_publications (project_id, publication_id)
    select x.project_id, new.merged_into_id from project_publications x where x.publication_id = new.id
    on conflict do nothing;
  delete from project_publications x where x.publication_id = new.id;
  return null;
end $$;
