create or replace function requirement_tree_refs() returns trigger language plpgsql as $do$
declare
  kind text;
  gone text;
begin
  delete from requirement_refs where tree_id in (
    select id from requirement_trees where id <> new.id
      and program_id is not distinct from new.program_id and bylaw_id is not distinct from new.bylaw_id);
  -- What is named is there, and stays until this is committed: who removes it waits, and is then refused.
  foreach kind in array array['course', 'tag', 'department', 'faculty'] loop
    execute format($$
      with named as materialized (
        select id, code, removed_at from %I where id in (select (jsonb_path_query($1, %L))::int) order by id for share)
      select string_agg(code, ', ' order by code) from named where removed_at is not null$$,
      case kind when 'faculty' then 'faculties' else kind || 's' end, 'strict $.**.' || kind || '_id') into gone using new.tree;
    if gone is not null then
      raise exception using errcode = 'UE409', message = 'requirement_names_removed',
        detail = json_build_object('codes', gone)::text;
    end if;
  end loop;
  insert into requirement_refs (tree_id, key, course_id, tag_id, department_id, faculty_id, pool_id)
  select distinct new.id, n.node ->> 'key',
    (s.one ->> 'course_id')::int, (s.one ->> 'tag_id')::int, (s.one ->> 'department_id')::int,
    (s.one ->> 'faculty_id')::int, (s.one ->> 'pool_id')::int
  from jsonb_path_query(new.tree, 'strict $.** ? (@.kind.type() == "string" && @.key.type() == "string")') as n (node),
    lateral jsonb_path_query(jsonb_build_array(coalesce(n.node -> 'from', '[]'), coalesce(n.node -> 'except', '[]')),
      'strict $.** ? (@.by.type() == "string")') as s (one)
  where num_nonnulls(s.one ->> 'course_id', s.one ->> 'tag_id', s.one ->> 'department_id', s.one ->> 'faculty_id', s.one ->> 'pool_id') = 1;
  return null;
end $do$;
