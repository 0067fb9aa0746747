-- Who has a request for a service next: whoever holds the office of its step for who asked and may work on requests. Where nobody
-- does (the office was emptied, its holder left), who manages services. Never who asked.
create or replace function service_holders(of_service integer)
returns table (id integer, name text, name_local text, role text, role_local text) language sql stable as $$
  with step as materialized (
    select g.role_id, g.user_id, a.user_id as asker, a.faculty_id, a.bylaw_id, a.program_id, a.department_id
    from services t cross join lateral asker_units(t.student_id, t.staff_id) a
      join service_steps g on g.service_id = t.id and g.position = t.step
    where t.id = of_service
  ), office as materialized (
    select u.id, u.name, u.name_local, r.name as role, r.name_local as role_local, r.id as role_id
    from step x join roles r on r.removed_at is null
      join role_permissions k on k.role_id = r.id and k.permission = 'decide_service' and k.reach = 'scope'
      join role_assignments a on a.role_id = r.id and (r.id = x.role_id or a.user_id = x.user_id)
        and (a.scope_type is null or (a.scope_type = 'faculty' and a.scope_id = x.faculty_id)
          or (a.scope_type = 'department' and a.scope_id = x.department_id) or (a.scope_type = 'bylaw' and a.scope_id = x.bylaw_id)
          or (a.scope_type = 'program' and a.scope_id = x.program_id))
      join users u on u.id = a.user_id and u.removed_at is null and u.blocked_at is null
    where u.id is distinct from x.asker
      and coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
  )
  (select distinct on (o.id) o.id, o.name, o.name_local, o.role, o.role_local from office o order by o.id, o.role_id)
  union all
  select m.id, m.name, m.name_local, m.role, m.role_local from service_managers(of_service) m where not exists (select from office)
$$;
