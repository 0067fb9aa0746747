-- From which day to which a student stood how. A change of the status holds from the day of its decision, which may lie back;
-- any other from today. On the same day the last one holds.
create or replace function keep_standing() returns trigger language plpgsql as $$
declare
  on_day date := university_today();
begin
  if new.status is distinct from old.status then
    -- A decision that is taken back never held.
    on_day := least(on_day, (select decided_on from student_status_decisions where id =
      case when new.status_decision_id > coalesce(old.status_decision_id, 0) then new.status_decision_id else old.status_decision_id end));
  end if;
  -- What holds on that day is parted there, unless it begins there.
  with held as (
    update student_standings set until_day = on_day
    where student_id = new.id and from_day < on_day and (until_day is null or until_day > on_day)
    returning status, faculty_id, program_id, level
  ), first as (
    select min(from_day) filter (where from_day > on_day) as next from student_standings where student_id = new.id
  )
  insert into student_standings (student_id, from_day, until_day, status, faculty_id, program_id, level)
  select new.id, on_day, first.next, held.status, held.faculty_id, held.program_id, held.level from held, first;
  update student_standings set
    status = case when new.status is distinct from old.status then new.status else status end,
    faculty_id = case when new.faculty_id is distinct from old.faculty_id then new.faculty_id else faculty_id end,
    program_id = case when new.program_id is distinct from old.program_id then new.program_id else program_id end,
    level = case when new.level is distinct from old.level then new.level else level end
  where student_id = new.id and from_day >= on_day;
  return null;
end $$;
