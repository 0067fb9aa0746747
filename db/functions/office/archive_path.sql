-- The folders around an entry, the outermost first. Who sees an entry sees all of them.
create or replace function archive_path(entry integer) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'name_local', e.name_local) order by u.above desc), '[]')
  from archive_up(entry) u join archive_entries e on e.id = u.id where u.above > 0
$$;
