-- Who manages services for who asked, by a role: in place of an office that nobody holds, and told of what stays too long.
create or replace function service_managers(of_service integer)
returns table (id integer, name text, name_local text, role text, role_local text) language sql stable as $$
  select distinct on (u.id) u.id, u.name, u.name_local, r.name, r.name_local
  from services t cross join lateral asker_units(t.student_id, t.staff_id) s
    join role_permissions k on k.permission = 'manage_service' and k.reach = 'scope'
    join roles r on r.id = k.role_id and r.removed_at is null
    join role_assignments a on a.role_id = r.id and (a.scope_type is null or (a.scope_type = 'faculty' and a.scope_id = s.faculty_id)
      or (a.scope_type = 'department' and a.scope_id = s.department_id) or (a.scope_type = 'bylaw' and a.scope_id = s.bylaw_id)
      or (a.scope_type = 'program' and a.scope_id = s.program_id))
    join users u on u.id = a.user_id and u.removed_at is null and u.blocked_at is null and not u.is_super_admin and not u.is_root
  where t.id = of_service and u.id is distinct from s.user_id
    and coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
  order by u.id, r.id
$$;
