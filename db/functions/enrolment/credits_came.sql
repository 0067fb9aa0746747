-- What is credited may be what was lacking.
create or replace function credits_came() returns trigger language plpgsql as $$
begin
  perform prerequisites_regained(array_agg(distinct n.student_id)) from new_rows n;
  return null;
end $$;
