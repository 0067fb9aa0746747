-- Private data of students is read by a right of its own: those who have had it by their office keep it. Where the roles
-- are not there yet, they come with it.
insert into role_permissions (role_id, permission, reach)
select id, 'show_student_private', 'scope' from roles where key in ('root', 'super_admin', 'admin', 'affair_manager')
on conflict do nothing;
