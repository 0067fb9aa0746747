-- The specification of a course or a program that holds in an academic year: the latest approved one of it or of a year before; where
-- none is approved, the latest that is there.
create or replace function specification_in_force(of_course integer, of_program integer, in_year integer) returns integer language sql stable as $$
  select s.id from specifications s join years y on y.id = s.year_id
  where (s.course_id = of_course or s.program_id = of_program) and s.removed_at is null
    and y.start_date <= (select w.start_date from years w where w.id = in_year)
  order by s.status = 'approved' desc, y.start_date desc, s.revision desc limit 1
$$;
