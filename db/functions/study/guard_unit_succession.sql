-- Nothing follows upon itself, over however many: figures would be told under a name that leads back to itself. Of two that are
-- noted at the same moment the second sees the first.
create or replace function guard_unit_succession() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('successions of units'));
  if exists (
    with recursive after (faculty, department, program) as (
      select new.to_faculty_id, new.to_department_id, new.to_program_id
      union
      select s.to_faculty_id, s.to_department_id, s.to_program_id from unit_successions s
        join after a on s.faculty_id = a.faculty or s.department_id = a.department or s.program_id = a.program
      where s.id is distinct from new.id)
    select from after where faculty = new.faculty_id or department = new.department_id or program = new.program_id) then
    raise exception 'What follows upon % leads back to it', coalesce(new.faculty_id, new.department_id, new.program_id)
      using errcode = 'check_violation', constraint = 'unit_succession_circle', table = 'unit_successions';
  end if;
  return new;
end $$;
