-- What of results the student may see: as the bylaw has it, and nothing while they are held.
create or replace function own_visibility(of_student integer, visibility jsonb) returns jsonb language sql stable as $$
  select case when results_held(of_student) then '{"marks": null, "letter": null, "points": null, "gpa": null}'::jsonb else visibility end
$$;
