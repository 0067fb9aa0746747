-- An entry and the folders around it, from itself (0) up to the root.
create or replace function archive_up(entry integer) returns table (id integer, parent_id integer, above integer) language sql stable as $$
  with recursive up as (
    select e.id, e.parent_id, 0 as above from archive_entries e where e.id = entry
    union all
    select p.id, p.parent_id, up.above + 1 from up join archive_entries p on p.id = up.parent_id where up.above < 100
  )
  select up.id, up.parent_id, up.above from up
$$;
