-- Which attempt a registration is, by results of the course and its equals that are out: 64 after a passed one, 32 after a
-- failed one, else 16. A course passed elsewhere is passed here; what was attempted in an ended study counts only as it was
-- credited.
create or replace function attempt_by_results(of_student integer, of_course integer, before_term integer) returns bigint
language plpgsql stable as $$
begin
  return (
    select case when bool_or(x.passed) then 64 when count(*) > 0 then 32 else 16 end
    from (
      select r.passed from registrations r join offerings o on o.id = r.offering_id join terms w on w.id = r.term_id
        join terms t on t.id = before_term and (w.start_date, w.id) < (t.start_date, t.id)
        join students s on s.id = r.student_id join bylaws b on b.id = s.bylaw_id
      where r.student_id = of_student and (r.passed is not null or r.status & 2305843009884782592 <> 0)
        and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
        and (r.course_id = of_course or r.course_id in (select e.equal_course_id from course_equals e where e.course_id = of_course))
        and result_out(o.control_status, b.grades_visibility ->> 'letter', r.status, r.total)
      union all
      select true from course_credits k where k.student_id = of_student and k.former_study_id is null
        and (k.course_id = of_course or k.course_id in (select e.equal_course_id from course_equals e where e.course_id = of_course))) x);
end $$;
