-- Whether a student meets prerequisites by settled results and credited courses; `other`: with this result in place of that of
-- one registration. The same as `evaluate` of the server (a test compares).
create or replace function requisite_met(of_student integer, requisite jsonb, registration integer default null, other jsonb default null)
returns boolean language plpgsql stable as $$
begin
  if requisite is null or requisite = 'null' then
    return true;
  elsif requisite ? 'all' then
    return coalesce((select bool_and(requisite_met(of_student, x.node, registration, other)) from jsonb_array_elements(requisite -> 'all') x (node)), true);
  elsif requisite ? 'any' then
    return coalesce((select bool_or(requisite_met(of_student, x.node, registration, other)) from jsonb_array_elements(requisite -> 'any') x (node)), false);
  end if;
  return exists (
    select from students s cross join lateral (
      select r.course_id, r.letter, r.points from registrations r join offerings o on o.id = r.offering_id
      where r.student_id = s.id and r.id is distinct from registration and r.passed
        and result_out(o.control_status, 'Approved', r.status, r.total)
        and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
      union all
      select k.course_id, k.letter, k.points from course_credits k
      where k.student_id = s.id and k.former_study_id is null and credit_sound(k.id, registration, other)
      union all
      select (other ->> 'course')::integer, other ->> 'letter', (other ->> 'points')::numeric
      from (select) x where (other ->> 'passed')::boolean and (s.study_after_term_id is null or not exists (
        select from registrations r where r.id = registration and not term_after(r.term_id, s.study_after_term_id)))) p
    where s.id = of_student and requisite_grade(requisite, s.bylaw_id, p.letter, p.points)
      and (p.course_id = (requisite ->> 'course')::integer or exists (select from course_equals e
        where e.course_id = p.course_id and e.equal_course_id = (requisite ->> 'course')::integer)));
end $$;
