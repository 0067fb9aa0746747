-- Figures of a student as they stand: by valid rows of finished terms, and credited courses.
create or replace function fact_figures(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select s.id, jsonb_build_object('gpa', trim_scale(s.gpa), 'hours', trim_scale(s.passed_hours), 'level', s.level)
  from students s where s.id = any (ids)
$$;
