-- In which study and level a student was in a period that began on a day: an invoice of a past term has the prices of then.
-- Of a term whose results are not out it is where the student is.
create or replace function study_in(of_student integer, begun date, ended date) returns table (faculty_id integer, program_id integer, bylaw_id integer, level integer)
language sql stable as $$
  select coalesce(f.faculty_id, q.faculty_id, s.faculty_id), coalesce(f.program_id, q.id, s.program_id), coalesce(f.bylaw_id, s.bylaw_id),
    case when exists (select from student_terms t join terms w on w.id = t.term_id where t.student_id = s.id and w.start_date >= begun)
      then coalesce(
        (select t.level from student_terms t join terms w on w.id = t.term_id where t.student_id = s.id and w.start_date < begun
          and (f.id is not null or term_after(t.term_id, s.study_after_term_id)) order by w.start_date desc, w.id desc limit 1)::integer,
        case when f.id is null then (s.entry_standing ->> 'level')::integer end,
        (select min(l.level) from bylaw_levels l where l.bylaw_id = coalesce(f.bylaw_id, s.bylaw_id))::integer, s.level::integer)
      else coalesce(f.level, s.level)::integer end
  from students s
    left join lateral (select f.* from former_studies f join terms w on w.id = f.last_term_id
      where f.student_id = s.id and w.start_date >= begun order by f.id limit 1) f on true
    left join lateral (select g.from_program_id from student_specializations g
      where g.student_id = s.id and g.removed_at is null and g.assigned_at::date > ended order by g.assigned_at limit 1) g on true
    left join programs q on q.id = g.from_program_id
  where s.id = of_student
$$;
