-- Universities and schools that students come from and go to, for admission and transfers.
select create_lookup('universities_list');
alter table universities_list add column country_id integer references countries;
create index universities_list_country on universities_list (country_id);
select create_lookup('schools_list');
alter table schools_list add column country_id integer references countries;
create index schools_list_country on schools_list (country_id);
