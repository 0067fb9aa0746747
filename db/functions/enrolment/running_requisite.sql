-- What a running registration asks for; null: nothing, or it was set aside with a reason. Running: it weighs on the term, has no
-- result, and control has not begun with the offering.
create or replace function running_requisite(r registrations) returns jsonb language sql stable as $$
  select q.requisite from running_requisites(array[r.student_id]) q where q.id = r.id
$$;
