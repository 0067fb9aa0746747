-- What an employee is at the university: number, job, where, under whom, and the contracts.
select create_lookup('job_titles');

alter table users
  -- The staff number of an employee.
  add column code text,
  add column job_title_id integer references job_titles,
  add column faculty_id integer references faculties,
  add column department_id integer references departments,
  add column manager_id integer references users,
  -- Who teaches has a record of an instructor, who studies one of a student.
  add constraint work_of_employees
    check (type = 2 or num_nonnulls(code, job_title_id, faculty_id, department_id, manager_id) = 0),
  add constraint own_manager check (manager_id <> id),
  add constraint department_without_faculty check (department_id is null or faculty_id is not null);
create unique index users_code_in_any_case on users (lower(code));
create index users_job_title on users (job_title_id) where job_title_id is not null;
create index users_faculty on users (faculty_id) where faculty_id is not null;
create index users_department on users (department_id, faculty_id);
create index users_manager on users (manager_id) where manager_id is not null;

-- A department has one faculty, and who works in it works there: also when the department moves.
alter table departments add constraint departments_of_faculty unique (id, faculty_id);
alter table users add constraint department_of_other_faculty foreign key (department_id, faculty_id)
  references departments (id, faculty_id) on update cascade;

-- Nobody is led by somebody whom he or she leads, over however many. Of two who change at the same moment the second sees the first.
create function refuse_circle_of_managers() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('managers of employees'));
  if not exists (select from users m where m.id = new.manager_id and m.type = 2 and m.removed_at is null) then
    raise exception 'The manager of % is no employee', new.id using errcode = 'check_violation', constraint = 'manager_no_employee', table = 'users';
  end if;
  if exists (
    with recursive above (id) as (
      select new.manager_id union select u.manager_id from users u join above a on a.id = u.id where u.manager_id is not null)
    select from above where id = new.id) then
    raise exception 'The managers of % go in a circle', new.id using errcode = 'check_violation', constraint = 'manager_circle', table = 'users';
  end if;
  return new;
end $$;
create trigger refuse_circle_of_managers before insert or update of manager_id on users
  for each row when (new.manager_id <> new.id) execute function refuse_circle_of_managers();

create table employee_contracts (
  id integer generated always as identity primary key,
  employee_id integer not null references users on delete cascade,
  kind text not null check (kind in ('permanent', 'fixed_term', 'part_time', 'secondment', 'temporary')),
  from_date date not null,
  -- Null: without an end.
  to_date date,
  -- The last day of which people were told beforehand, and on the day itself.
  told_of date,
  told_ended date,
  constraint contract_ends_before_begin check (to_date >= from_date),
  constraint contract_end_needed check (kind not in ('fixed_term', 'secondment', 'temporary') or to_date is not null),
  constraint contracts_overlap exclude using gist (employee_id with =, daterange(from_date, to_date, '[]') with &&) deferrable
);
create index employee_contracts_employee on employee_contracts (employee_id);
create index employee_contracts_ending on employee_contracts (to_date) where to_date is not null;
select audit_rows('employee_contracts', 'employee_id');

-- The last day of the last contract of an employee; null: none, or one without an end.
create function contract_ends_on(employee integer) returns date language sql stable as $$
  select nullif(max(coalesce(c.to_date, 'infinity')), 'infinity') from employee_contracts c where c.employee_id = employee
$$;

-- People are found by their staff number, and those whose name begins as typed come first: number and name begin the text.
create or replace function search_text_of_account() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(concat_ws(' ', new.code, new.name, new.name_local, new.used_name, new.used_name_local, new.email));
  return new;
end $$;
create or replace trigger search_text before insert or update of code, email, name, name_local, used_name, used_name_local, search_text
  on users for each row execute function search_text_of_account();
update users set search_text = search_text where type = 2;

-- Accounts belong where their holders work.
create or replace view user_units as
  select i.user_id, 'faculty'::text as unit, i.faculty_id as unit_id from instructors i where i.user_id is not null and i.removed_at is null
  union all select i.user_id, 'department', i.department_id from instructors i
    where i.user_id is not null and i.removed_at is null and i.department_id is not null
  union all select u.id, 'faculty', u.faculty_id from users u where u.faculty_id is not null
  union all select u.id, 'department', u.department_id from users u where u.department_id is not null
  union all select s.user_id, x.unit, x.unit_id from students s
    cross join lateral (values ('faculty', s.faculty_id), ('bylaw', s.bylaw_id), ('program', s.program_id)) x (unit, unit_id)
    where s.user_id is not null and s.removed_at is null
  union all select a.user_id, w.lies_in, w.lies_in_id from role_assignments a
    join units_within w on w.unit = a.scope_type and w.unit_id = a.scope_id where coalesce(a.valid_to >= current_date, true)
  union all select e.user_id, w.lies_in, w.lies_in_id from access_entries e
    join units_within w on w.unit = e.scope_type and w.unit_id = e.scope_id where coalesce(e.valid_to >= current_date, true);

-- Who works here sees the own record, as in the roles that are made from now on.
insert into role_permissions (role_id, permission, reach)
select p.role_id, 'show_employee', 'own' from role_permissions p join roles r on r.id = p.role_id and r.key is not null
where p.permission = 'handle_ticket' and p.reach = 'own'
on conflict do nothing;
