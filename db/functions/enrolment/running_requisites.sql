-- What the running registrations of many students ask for is read together, not registration by registration: a correction of ten
-- thousand marks looks at all of their courses.
create or replace function running_requisites(students integer[]) returns table (id integer, student_id integer, requisite jsonb) language sql stable as $$
  select r.id, r.student_id, coalesce(pc.prerequisites, c.prerequisites)
  from registrations r join offerings o on o.id = r.offering_id and o.control_status = 'Draft'
    join courses c on c.id = o.course_id join students s on s.id = r.student_id
    left join program_courses pc on pc.program_id = s.program_id and pc.course_id = c.id
  where r.student_id = any (students) and r.letter is null
    and r.status & (262144 | 1048576 | 2097152 | 4194304 | 8388608 | 16777216) <> 0
    and coalesce(pc.prerequisites, c.prerequisites) is not null
    and not exists (select from registration_history h where h.registration_id = r.id and h.overrides @> '[{"code": "prerequisites"}]')
$$;
