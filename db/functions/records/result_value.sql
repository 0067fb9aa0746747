-- The result of a registration as it is published (`result`), or approved by control (`approved`). What is not is of no
-- value to a decision: its letter and marks may still change, and are not told.
create or replace function result_value(r registrations, settled boolean) returns jsonb language sql immutable as $$
  select case when settled then jsonb_strip_nulls(jsonb_build_object('course', r.course_id, 'letter', r.letter, 'points', trim_scale(r.points),
    'total', trim_scale(r.total), 'maximum', r.maximum, 'passed', r.passed, 'hours', trim_scale(r.credit_hours),
    'in_gpa', r.counts_in_gpa, 'state', (r.status & ~112::bigint)::text)) else jsonb_build_object('course', r.course_id) end
$$;
