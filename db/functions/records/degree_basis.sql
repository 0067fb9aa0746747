-- What a program requires of students under a bylaw, in short: changes with whatever decides on the degree.
create or replace function degree_basis(program integer, bylaw integer) returns text language sql stable as $$
  select md5(concat_ws('|', p.id, b.id, coalesce(p.min_credit_hours, -1), coalesce(p.min_training_weeks, -1),
    coalesce(b.graduation_hours, -1), coalesce(b.graduation_gpa, -1), coalesce(b.min_training_weeks, -1),
    coalesce((select max(t.id) from requirement_trees t where t.program_id = p.id), 0),
    coalesce((select max(t.id) from requirement_trees t where t.bylaw_id = b.id), 0),
    (select string_agg(concat_ws(' ', o.id, o.min_credit_hours), ',' order by o.id) from program_pools o where o.program_id = p.id),
    (select string_agg(concat_ws(' ', x.course_id, x.kind, x.pool_id, c.credit_hours), ',' order by x.course_id)
      from program_courses x join courses c on c.id = x.course_id where x.program_id = p.id)))
  from programs p, bylaws b where p.id = program and b.id = bylaw
$$;
