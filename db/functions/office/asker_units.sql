-- Where who asks for something belongs, and by which account: a student by faculty, program and bylaw; who works here by the faculty
-- and department of the work.
create or replace function asker_units(of_student integer, of_staff integer)
returns table (user_id integer, faculty_id integer, department_id integer, bylaw_id integer, program_id integer) language sql stable as $$
  select s.user_id, s.faculty_id, p.department_id, s.bylaw_id, s.program_id
  from students s join programs p on p.id = s.program_id where s.id = of_student
  union all
  select u.id, coalesce(u.faculty_id, i.faculty_id), coalesce(u.department_id, i.department_id), null, null
  from users u left join instructors i on i.user_id = u.id and i.removed_at is null where u.id = of_staff
$$;
