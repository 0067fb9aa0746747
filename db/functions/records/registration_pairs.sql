-- Pairs of two arrays, said to be few whatever they hold. The planner sees through unnest and would make a new plan for
-- every request, which costs several times as much as carrying it out.
create or replace function registration_pairs(students integer[], offerings integer[])
  returns table (student_id integer, offering_id integer) language sql volatile rows 8
  as 'select * from unnest(students, offerings)';
