-- The one place that says who sees what: the folders whose lists let somebody in, each with whether the person changes
-- what is in it. The root lets in whoever may open the archive. A list only narrows what the folder around it allows.
create or replace function archive_realms(reader integer, everything boolean, edits boolean)
returns table (realm_id integer, may_edit boolean) language sql stable as $$
  with recursive held as materialized (
    select r.id from roles r
    where r.removed_at is null and (
      exists (
        select from role_assignments a where a.role_id = r.id and a.user_id = reader
          and coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
      )
      or r.key = (select case u.type when 3 then 'student' when 4 then 'applicant' end from users u where u.id = reader)
    )
  ), listed as materialized (
    select a.entry_id, bool_or(a.level = 'edit') as may_edit from archive_access a
    where a.user_id = reader or a.role_id in (select id from held)
    group by a.entry_id
  ), reached as (
    select 1 as id, edits as may_edit
    union all
    select e.id, edits and (everything or l.may_edit)
    from reached r
    join archive_entries e on e.realm_above = r.id and not e.inherits
    left join listed l on l.entry_id = e.id
    where everything or l.entry_id is not null
  )
  select reached.id, reached.may_edit from reached
$$;
