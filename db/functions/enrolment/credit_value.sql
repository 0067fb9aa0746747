-- A credited course, as decisions stand on it.
create or replace function credit_value(k course_credits) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object('course', k.course_id, 'letter', k.letter, 'points', trim_scale(k.points),
    'total', trim_scale(k.mark), 'maximum', k.maximum, 'passed', true, 'hours', trim_scale(k.credit_hours), 'in_gpa', k.counts_in_gpa))
$$;
