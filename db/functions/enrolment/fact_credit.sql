-- What courses count as stands on the results with which they were passed: equivalences that somebody decided on while the
-- transfer waits, and the courses credited by it once it was executed.
-- A credited course, where another transfer credits it again.
create or replace function fact_credit(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select k.id, credit_value(k) from course_credits k where k.id = any (ids)
$$;
