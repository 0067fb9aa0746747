-- Theses that are written in research projects.
create table project_theses (
  project_id integer not null references projects on delete cascade,
  thesis_id integer not null references theses on delete cascade,
  primary key (project_id, thesis_id)
);
create index project_theses_thesis on project_theses (thesis_id);

-- What comes of a project points to a publication: to the kept one, where two were merged.
install function follow_merged_publication;
create trigger followed after update of merged_into_id on publications for each row
  when (new.merged_into_id is not null and new.merged_into_id is distinct from old.merged_into_id)
  execute function follow_merged_publication();
-- Links of before it followed.
insert into project_publications (project_id, publication_id)
  select x.project_id, p.merged_into_id from project_publications x join publications p on p.id = x.publication_id
  where p.merged_into_id is not null on conflict do nothing;
delete from project_publications x using publications p where p.id = x.publication_id and p.merged_into_id is not null;
