-- What is searched of a student, in `students_searched`: first made by `keep_searched`. Whoever changes one changes the other.
-- Whoever changes a row of the table holds it, so nobody waits for another row here than there.
create or replace function keep_students_searched() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into students_searched (id, search_text, removed_at, code, name, name_local, faculty_id, program_id, bylaw_id,
      advisor_id, level, status, gpa, passed_hours, warnings)
    select n.id, n.search_text, n.removed_at, n.code, n.name, n.name_local, n.faculty_id, n.program_id, n.bylaw_id,
      n.advisor_id, n.level, n.status, n.gpa, n.passed_hours, n.warnings
    from new_rows n;
  elsif tg_op = 'UPDATE' then
    update students_searched s
    set (id, search_text, removed_at, code, name, name_local, faculty_id, program_id, bylaw_id,
        advisor_id, level, status, gpa, passed_hours, warnings)
      = row (n.id, n.search_text, n.removed_at, n.code, n.name, n.name_local, n.faculty_id, n.program_id, n.bylaw_id,
        n.advisor_id, n.level, n.status, n.gpa, n.passed_hours, n.warnings)
    from (
      select n.* from new_rows n full join old_rows o on o.id = n.id
      where row (n.id, n.search_text, n.removed_at, n.code, n.name, n.name_local, n.faculty_id, n.program_id, n.bylaw_id,
          n.advisor_id, n.level, n.status, n.gpa, n.passed_hours, n.warnings)
        is distinct from row (o.id, o.search_text, o.removed_at, o.code, o.name, o.name_local, o.faculty_id, o.program_id, o.bylaw_id,
          o.advisor_id, o.level, o.status, o.gpa, o.passed_hours, o.warnings) offset 0) n
    where s.id = n.id;
  elsif tg_op = 'DELETE' then
    delete from students_searched s using old_rows o where s.id = o.id;
  else
    truncate students_searched;
  end if;
  return null;
end $$;
