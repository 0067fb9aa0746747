-- Offices are held by people who teach and invigilate: their roles see the own timetable and the own exams from now on, as every
-- role of staff does. Where the roles are not there yet, they come with it.
insert into role_permissions (role_id, permission, reach)
select r.id, 'show_my_schedule', 'own' from roles r
where r.key is not null and r.key not in ('student', 'applicant')
  and exists (select from role_permissions p where p.role_id = r.id and p.permission = 'ask_ticket')
on conflict do nothing;
