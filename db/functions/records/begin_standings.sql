-- How students stand who were just added, since the term in which they entered.
create or replace function begin_standings() returns trigger language plpgsql as $$
begin
  insert into student_standings (student_id, from_day, status, faculty_id, program_id, level)
  select n.id, least(university_today(), t.start_date), n.status, n.faculty_id, n.program_id, n.level
  from new_rows n left join terms t on t.id = n.entry_term_id;
  return null;
end $$;
