-- Requirements of a program or a bylaw beyond the study plan: a tree (areas/degree-audit/requirements/tree.rules.ts).
-- Every revision stays as it was; the last one holds. One without tree: from then on there are none.
create table requirement_trees (
  id integer generated always as identity primary key,
  program_id integer references programs on delete cascade,
  bylaw_id integer references bylaws on delete cascade,
  revision integer not null constraint requirement_trees_revision check (revision > 0),
  mode text not null default 'adds' constraint requirement_trees_mode check (mode in ('adds', 'replaces')),
  tree jsonb constraint requirement_trees_tree check (jsonb_typeof(tree) = 'object'),
  -- Why it was changed, in the words of who did.
  reason text constraint requirement_trees_reason check (char_length(reason) between 1 and 500),
  created_by integer references users,
  created_at timestamptz not null default now(),
  constraint requirement_trees_of_one check (num_nonnulls(program_id, bylaw_id) = 1)
);
create unique index requirement_trees_program on requirement_trees (program_id, revision) where program_id is not null;
create unique index requirement_trees_bylaw on requirement_trees (bylaw_id, revision) where bylaw_id is not null;
create index requirement_trees_created_by on requirement_trees (created_by);

-- What the trees that hold name, and in which requirement: kept by the database, so that nothing that is named goes away.
create table requirement_refs (
  tree_id integer not null references requirement_trees on delete cascade,
  key text not null,
  course_id integer references courses,
  tag_id integer references tags,
  department_id integer references departments,
  faculty_id integer references faculties,
  pool_id integer references program_pools,
  constraint requirement_refs_to_one check (num_nonnulls(course_id, tag_id, department_id, faculty_id, pool_id) = 1)
);
create index requirement_refs_tree on requirement_refs (tree_id);
create index requirement_refs_course on requirement_refs (course_id) where course_id is not null;
create index requirement_refs_tag on requirement_refs (tag_id) where tag_id is not null;
create index requirement_refs_department on requirement_refs (department_id) where department_id is not null;
create index requirement_refs_faculty on requirement_refs (faculty_id) where faculty_id is not null;
create index requirement_refs_pool on requirement_refs (pool_id) where pool_id is not null;

-- A revision is never changed, and follows the one before.
create function requirement_tree_stays() returns trigger language plpgsql as $$
begin
  raise exception 'A revision of requirements stays as it is' using errcode = 'insufficient_privilege';
end $$;
create trigger stays before update on requirement_trees for each row execute function requirement_tree_stays();

create function requirement_tree_follows() returns trigger language plpgsql as $$
declare
  last integer;
begin
  -- Two who save at once wait here for each other: the second finds that the first has saved.
  perform pg_advisory_xact_lock(hashtextextended('requirement_trees ' || coalesce('p' || new.program_id, 'b' || new.bylaw_id), 0));
  select coalesce(max(revision), 0) into last from requirement_trees
  where program_id is not distinct from new.program_id and bylaw_id is not distinct from new.bylaw_id;
  if new.revision is distinct from last + 1 then
    raise exception using errcode = 'UE409', message = 'requirements_changed',
      detail = json_build_object('revision', last)::text;
  end if;
  return new;
end $$;
create trigger follows before insert on requirement_trees for each row execute function requirement_tree_follows();

create function requirement_tree_refs() returns trigger language plpgsql as $do$
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
create trigger refs after insert on requirement_trees for each row execute function requirement_tree_refs();

-- Where it is named: the program or bylaw, and the requirement.
create function requirement_places(of_course integer, of_tag integer, of_department integer, of_faculty integer, of_pool integer)
returns text language sql stable as $$
  select string_agg(distinct coalesce(p.code, b.code) || ': ' || coalesce(
      jsonb_path_query_first(t.tree, 'strict $.** ? (@.key == $key).name', jsonb_build_object('key', r.key)) #>> '{}', r.key), '; ')
  from requirement_refs r join requirement_trees t on t.id = r.tree_id
    left join programs p on p.id = t.program_id left join bylaws b on b.id = t.bylaw_id
  where r.course_id = of_course or r.tag_id = of_tag or r.department_id = of_department or r.faculty_id = of_faculty
    or r.pool_id = of_pool
$$;

-- What a requirement names is not removed; who tries is told where it is named.
create function named_by_requirement() returns trigger language plpgsql as $$
declare
  places text;
begin
  places := requirement_places(
    case when tg_table_name = 'courses' then old.id end, case when tg_table_name = 'tags' then old.id end,
    case when tg_table_name = 'departments' then old.id end, case when tg_table_name = 'faculties' then old.id end,
    case when tg_table_name = 'program_pools' then old.id end);
  if places is not null then
    raise exception using errcode = 'UE409', message = 'named_by_requirement',
      detail = json_build_object('places', places)::text;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger named_by_requirement before update of removed_at on courses for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement before update of removed_at on tags for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement before update of removed_at on departments for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement before update of removed_at on faculties for each row
  when (old.removed_at is null and new.removed_at is not null) execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on courses for each row execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on tags for each row execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on departments for each row execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on faculties for each row execute function named_by_requirement();
create trigger named_by_requirement_deleted before delete on program_pools for each row execute function named_by_requirement();

-- Words on courses, by which requirements can take them.
create table course_tags (
  course_id integer not null references courses on delete cascade,
  tag_id integer not null references tags,
  primary key (course_id, tag_id)
);
create index course_tags_tag on course_tags (tag_id, course_id);

select audit_table(t) from unnest(array['requirement_trees', 'course_tags']) as t;
