-- The result of a level stands on the results of its courses: what they were is kept with each student's decided year.
select basis_goes_with('student_years', 'level_result');
select keep_basis('level_result', array_agg(distinct x.id), jsonb_agg(jsonb_build_object('decision_id', x.id, 'fact', 'approved', 'fact_id', x.r)))
from (
  select distinct l.student_year_id as id, (k ->> 'r')::integer as r
  from level_result_students l cross join jsonb_array_elements(l.courses) k
  where l.applied and k ->> 'r' is not null and exists (select from registrations q where q.id = (k ->> 'r')::integer)) x
having count(*) > 0;
-- A result of some students of a level, by name, beside that of the whole level.
alter table level_results add column named boolean not null default false;
