-- In which group somebody of a nationality is; null where the nationality is not known.
create or replace function nationality_group_of(country integer) returns integer language sql stable as $$
  select case when country is not null then coalesce(
    (select n.nationality_group_id from nationality_group_countries n where n.country_id = country),
    (select g.id from nationality_groups g where g.is_default and g.removed_at is null)) end
$$;
