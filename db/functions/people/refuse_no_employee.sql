-- What is kept of an employee is not kept of a student's account.
create or replace function refuse_no_employee() returns trigger language plpgsql as $$
begin
  if not exists (select from users u where u.id = new.employee_id and u.type = 2) then
    raise exception 'User % is no employee', new.employee_id using errcode = 'check_violation', constraint = 'person_no_employee';
  end if;
  return new;
end $$;
