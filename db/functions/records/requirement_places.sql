-- Where it is named: the program or bylaw, and the requirement.
create or replace function requirement_places(of_course integer, of_tag integer, of_department integer, of_faculty integer, of_pool integer)
returns text language sql stable as $$
  select string_agg(distinct coalesce(p.code, b.code) || ': ' || coalesce(
      jsonb_path_query_first(t.tree, 'strict $.** ? (@.key == $key).name', jsonb_build_object('key', r.key)) #>> '{}', r.key), '; ')
  from requirement_refs r join requirement_trees t on t.id = r.tree_id
    left join programs p on p.id = t.program_id left join bylaws b on b.id = t.bylaw_id
  where r.course_id = of_course or r.tag_id = of_tag or r.department_id = of_department or r.faculty_id = of_faculty
    or r.pool_id = of_pool
$$;
