-- Who holds a right for the person of a certificate by a role today. Never who asked.
create or replace function certificate_turn_office(of_certificate integer, of_right text) returns table (id integer) language sql stable as $$
  select distinct u.id
  from certificates t left join lateral asker_units(t.student_id, t.staff_id) s on true
    join role_permissions k on k.permission = of_right and k.reach = 'scope'
    join roles r on r.id = k.role_id and r.removed_at is null
    join role_assignments a on a.role_id = r.id and (a.scope_type is null or (a.scope_type = 'faculty' and a.scope_id = s.faculty_id)
      or (a.scope_type = 'department' and a.scope_id = s.department_id) or (a.scope_type = 'bylaw' and a.scope_id = s.bylaw_id)
      or (a.scope_type = 'program' and a.scope_id = s.program_id))
    join users u on u.id = a.user_id and u.removed_at is null and u.blocked_at is null and not u.is_super_admin and not u.is_root
  where t.id = of_certificate and u.id is distinct from s.user_id
    and coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
$$;
