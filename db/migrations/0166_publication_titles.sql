-- Titles as they are compared: what is imported is looked for among what is there.
install function title_key;
alter table publications
  add column title_key text generated always as (title_key(title)) stored,
  add column title_local_key text generated always as (title_key(title_local)) stored;
create index publications_title_key on publications (title_key) where removed_at is null and title_key is not null;
create index publications_title_local_key on publications (title_local_key) where removed_at is null and title_local_key is not null;
