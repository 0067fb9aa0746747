-- Deans decide on the status of students as registrars do: who holds the office has the right from now on. Where the roles are
-- not there yet, they come with it.
insert into role_permissions (role_id, permission, reach)
select id, 'change_student_status', 'scope' from roles where key = 'dean'
on conflict do nothing;
