-- Whether a student may graduate is kept with the row of a finished term, and stands on more than results: requirements,
-- study plan, exceptions, placements, credited courses, training. What it stood on is kept beside it, in short, so that
-- reading can tell that it has changed since. Null: not known (rows that were loaded). For the audit trail it is no change.
alter table student_terms add column graduation_basis text;
drop trigger audit_insert on student_terms;
drop trigger audit_update on student_terms;
drop trigger audit_delete on student_terms;
select audit_table('student_terms', array['graduation_basis']);

-- What a program requires of students under a bylaw, in short: changes with whatever decides on the degree.
create function degree_basis(program integer, bylaw integer) returns text language sql stable as $$
  select md5(concat_ws('|', p.id, b.id, coalesce(p.min_credit_hours, -1), coalesce(p.min_training_weeks, -1),
    coalesce(b.graduation_hours, -1), coalesce(b.graduation_gpa, -1), coalesce(b.min_training_weeks, -1),
    coalesce((select max(t.id) from requirement_trees t where t.program_id = p.id), 0),
    coalesce((select max(t.id) from requirement_trees t where t.bylaw_id = b.id), 0),
    (select string_agg(concat_ws(' ', o.id, o.min_credit_hours), ',' order by o.id) from program_pools o where o.program_id = p.id),
    (select string_agg(concat_ws(' ', x.course_id, x.kind, x.pool_id, c.credit_hours), ',' order by x.course_id)
      from program_courses x join courses c on c.id = x.course_id where x.program_id = p.id)))
  from programs p, bylaws b where p.id = program and b.id = bylaw
$$;

-- Of what is kept already, the last row of a student with something newer is to be computed again.
update student_terms x set graduation_basis = ''
from (
  select distinct on (t.student_id) t.student_id, t.term_id, t.finished_at
  from student_terms t join terms w on w.id = t.term_id order by t.student_id, w.start_date desc, w.id desc) l
join students s on s.id = l.student_id
where x.student_id = l.student_id and x.term_id = l.term_id and greatest(
  (select max(greatest(e.granted_at, e.revoked_at)) from degree_exceptions e where e.student_id = s.id and e.program_id = s.program_id),
  (select max(r.updated_at) from placement_results r where r.student_id = s.id),
  (select max(k.created_at) from course_credits k where k.student_id = s.id and k.former_study_id is null),
  (select max(t.created_at) from requirement_trees t where t.program_id = s.program_id),
  (select max(t.created_at) from requirement_trees t where t.bylaw_id = s.bylaw_id)) > l.finished_at;
