-- A grade that results stand on stays in its bylaw: a transcript has it, and whoever computes again would find another one. Results
-- stand once control approved them; until then they are computed at every step.
create or replace function results_of_grade(of_bylaw integer, of_kind text, of_letter text) returns integer language sql stable as $$
  select count(*)::int from bylaws b join students s on s.bylaw_id = b.id join registrations r on r.student_id = s.id
    join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id
  where b.id = of_bylaw and r.letter = of_letter and r.total is not null and o.control_status in ('Approved', 'Published', 'Frozen')
    and case when of_kind = 'rating' then coalesce(b.program_type, '') in ('term', 'annual')
      else coalesce(b.program_type, '') not in ('term', 'annual')
        -- Courses that are passed or failed have letters where the bylaw has no ranges of their own.
        and (c.grade_kind = of_kind or not exists (select from grade_types g join grade_ranges a on a.grade_type_id = g.id
          where g.bylaw_id = of_bylaw and g.kind = c.grade_kind)) end
$$;
