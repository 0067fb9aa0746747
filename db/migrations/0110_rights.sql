-- By what rights people hold them, and to which parts of the university people belong.

-- Every way by which somebody holds a right, whether it is in force today or not: `role` an assigned role, `kind` the role
-- that comes with being a student or an applicant, `entry` an access entry, `direct` a right of its own, `super` may do
-- everything (the permission is `*`). `grant_id` is the row of that way. What is asked for narrows each part by its index.
create view rights_paths as
  select a.user_id, 'role'::text as way, a.id as grant_id, a.role_id, p.permission, p.reach,
    case when p.reach = 'scope' then a.scope_type end as scope_type, case when p.reach = 'scope' then a.scope_id end as scope_id,
    a.valid_from, a.valid_to, a.created_at as since, a.created_by as given_by
  from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null join role_permissions p on p.role_id = r.id
  union all
  select u.id, 'kind', null, r.id, p.permission, p.reach, null, null, null, null, u.created_at, null
  from users u join roles r on r.key = case u.type when 3 then 'student' when 4 then 'applicant' end and r.removed_at is null
    join role_permissions p on p.role_id = r.id
  union all
  select e.user_id, 'entry', e.id, null, e.permission, 'scope', e.scope_type, e.scope_id, e.valid_from, e.valid_to, e.created_at, e.created_by
  from access_entries e
  union all
  select d.user_id, 'direct', d.id, null, d.permission, 'scope', null, null, null, null, d.created_at, d.created_by
  from user_permissions d
  union all
  select u.id, 'super', null, null, '*', 'scope', null, null, null, null, u.created_at, null
  from users u where u.is_super_admin or u.is_root;

-- What a part of the university lies in, itself included: a program in its bylaw, department and faculty.
create view units_within as
  select 'faculty'::text as unit, id as unit_id, 'faculty'::text as lies_in, id as lies_in_id from faculties
  union all select 'department', id, 'department', id from departments
  union all select 'department', id, 'faculty', faculty_id from departments
  union all select 'bylaw', id, 'bylaw', id from bylaws
  union all select 'bylaw', id, 'faculty', faculty_id from bylaws
  union all select 'program', id, 'program', id from programs
  union all select 'program', id, 'bylaw', bylaw_id from programs
  union all select 'program', id, 'department', department_id from programs where department_id is not null
  union all select 'program', id, 'faculty', faculty_id from programs;

-- The parts of the university to which an account belongs: by the record of its instructor or student, and by what it
-- may do there.
create view user_units as
  select i.user_id, 'faculty'::text as unit, i.faculty_id as unit_id from instructors i where i.user_id is not null and i.removed_at is null
  union all select i.user_id, 'department', i.department_id from instructors i
    where i.user_id is not null and i.removed_at is null and i.department_id is not null
  union all select s.user_id, x.unit, x.unit_id from students s
    cross join lateral (values ('faculty', s.faculty_id), ('bylaw', s.bylaw_id), ('program', s.program_id)) x (unit, unit_id)
    where s.user_id is not null and s.removed_at is null
  union all select a.user_id, w.lies_in, w.lies_in_id from role_assignments a
    join units_within w on w.unit = a.scope_type and w.unit_id = a.scope_id where coalesce(a.valid_to >= current_date, true)
  union all select e.user_id, w.lies_in, w.lies_in_id from access_entries e
    join units_within w on w.unit = e.scope_type and w.unit_id = e.scope_id where coalesce(e.valid_to >= current_date, true);

-- Who may do everything stays, whoever writes: the last of them is neither blocked nor removed nor made one of the others.
-- Two at the same moment wait for each other; the second sees what the first did.
create function keep_a_super_admin() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('super admins'));
  if not exists (select from users where (is_super_admin or is_root) and removed_at is null and blocked_at is null) then
    raise exception 'Nobody would be left who may do everything'
      using errcode = 'check_violation', constraint = 'last_super_admin', table = 'users';
  end if;
  return null;
end $$;
create trigger keep_a_super_admin after update of is_super_admin, is_root, blocked_at, removed_at on users
  for each row when ((old.is_super_admin or old.is_root) and old.removed_at is null and old.blocked_at is null
    and not ((new.is_super_admin or new.is_root) and new.removed_at is null and new.blocked_at is null))
  execute function keep_a_super_admin();

-- A role's rights stand in the role's own history.
select audit_rows('role_permissions', 'role_id');
alter table roles add column search_text text generated always as (fold_text(key || ' ' || name || ' ' || name_local)) stored;
