-- Roles of teaching are given without a part of the university, so their holders saw the weeks of every offering and instructor.
update role_permissions p set reach = 'taught' from roles r
where r.id = p.role_id and p.permission = 'access_schedule' and p.reach = 'scope'
  and r.key in ('instructor', 'teaching_assistant_view', 'teaching_assistant_edit', 'academic_advisor', 'examiner');
