-- The roles that come with the program, where the university has them already. What everybody needs of years and terms
-- is open to whoever is signed in; the lists of the academic settings are no screens of students.
delete from role_permissions p using roles r
where r.id = p.role_id and r.system and r.key = 'student' and p.permission in ('access_year', 'access_term');
-- The registrar keeps the instructors.
insert into role_permissions (role_id, permission, reach)
select r.id, verb || '_instructor', 'scope' from roles r, unnest(array['add', 'edit', 'remove', 'restore', 'import']) as verb
where r.system and r.key = 'registrar'
on conflict do nothing;
-- Who runs the exams sets states of registrations, and reads no mark that control has not published.
delete from role_permissions p using roles r
where r.id = p.role_id and r.system and r.key = 'exam_officer' and p.permission = 'access_control';
