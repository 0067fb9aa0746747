-- What faculties, departments and programs were called before, and what became of those that were replaced, split or merged:
-- figures of past years are told under the name of their time. A name is kept by a trigger when it changes.
create table unit_names (
  id integer generated always as identity primary key,
  faculty_id integer references faculties on delete cascade,
  department_id integer references departments on delete cascade,
  program_id integer references programs on delete cascade,
  -- The first day on which it was called otherwise.
  until_day date not null,
  name text not null constraint unit_names_name check (name = btrim(name) and length(name) between 1 and 200),
  name_local text not null constraint unit_names_name_local check (name_local = btrim(name_local) and length(name_local) between 1 and 200),
  -- The faculty to which a department or program belonged then.
  within_id integer references faculties on delete set null,
  constraint unit_names_of_one check (num_nonnulls(faculty_id, department_id, program_id) = 1),
  constraint unit_names_day unique nulls not distinct (faculty_id, department_id, program_id, until_day)
);
create index unit_names_department on unit_names (department_id) where department_id is not null;
create index unit_names_program on unit_names (program_id) where program_id is not null;
create index unit_names_within on unit_names (within_id) where within_id is not null;

create table unit_successions (
  id integer generated always as identity primary key,
  faculty_id integer references faculties on delete cascade,
  department_id integer references departments on delete cascade,
  program_id integer references programs on delete cascade,
  to_faculty_id integer references faculties on delete cascade,
  to_department_id integer references departments on delete cascade,
  to_program_id integer references programs on delete cascade,
  on_day date not null,
  -- replaced: it ended, and what follows began. split_off: it goes on, and what follows began. merged: it ended in what was there.
  kind text not null constraint unit_successions_kind check (kind in ('replaced', 'split_off', 'merged')),
  note text constraint unit_successions_note check (note = btrim(note) and length(note) between 1 and 500),
  created_at timestamptz not null default now(),
  constraint unit_successions_of_one check (num_nonnulls(faculty_id, department_id, program_id) = 1),
  constraint unit_successions_to_like check (num_nonnulls(to_faculty_id, to_department_id, to_program_id) = 1
    and (faculty_id is null) = (to_faculty_id is null) and (department_id is null) = (to_department_id is null)),
  constraint unit_successions_pair unique nulls not distinct
    (faculty_id, to_faculty_id, department_id, to_department_id, program_id, to_program_id)
);
create index unit_successions_to_faculty on unit_successions (to_faculty_id) where to_faculty_id is not null;
create index unit_successions_department on unit_successions (department_id) where department_id is not null;
create index unit_successions_to_department on unit_successions (to_department_id) where to_department_id is not null;
create index unit_successions_program on unit_successions (program_id) where program_id is not null;
create index unit_successions_to_program on unit_successions (to_program_id) where to_program_id is not null;

-- What the audit trail still tells of names that changed: a name held until the day of its change.
with changes as materialized (
  select a.table_name as unit, a.record_id, (a.at at time zone university_zone())::date as day, a.id,
    a.old ->> 'name' as name, a.old ->> 'name_local' as name_local, (a.old ->> 'faculty_id')::integer as within_id
  from audit_log a
  where a.table_name in ('faculties', 'departments', 'programs') and a.action = 'update' and a.old ?| array['name', 'name_local', 'faculty_id']
), units as (
  select 'faculties' as unit, id, name, name_local, null::integer as within_id from faculties
  union all select 'departments', id, name, name_local, faculty_id from departments
  union all select 'programs', id, name, name_local, faculty_id from programs
), told as (
  -- Of several changes on one day the first tells what was before it; what a change left as it was is told by a later one.
  select distinct on (c.unit, c.record_id, c.day) c.unit, c.record_id, c.day,
    coalesce((select l.name from changes l where l.unit = c.unit and l.record_id = c.record_id and l.id >= c.id and l.name is not null
      order by l.id limit 1), u.name) as name,
    coalesce((select l.name_local from changes l where l.unit = c.unit and l.record_id = c.record_id and l.id >= c.id
      and l.name_local is not null order by l.id limit 1), u.name_local) as name_local,
    coalesce((select l.within_id from changes l where l.unit = c.unit and l.record_id = c.record_id and l.id >= c.id
      and l.within_id is not null order by l.id limit 1), u.within_id) as within_id
  from changes c join units u on u.unit = c.unit and u.id = c.record_id
  order by c.unit, c.record_id, c.day, c.id
)
insert into unit_names (faculty_id, department_id, program_id, until_day, name, name_local, within_id)
select case unit when 'faculties' then record_id end, case unit when 'departments' then record_id end,
  case unit when 'programs' then record_id end, day, btrim(name), btrim(name_local),
  (select f.id from faculties f where f.id = told.within_id)
from told where btrim(name) <> '' and btrim(name_local) <> '';

select audit_table('unit_names');
select audit_table('unit_successions');
install function keep_unit_name, guard_unit_succession;
create trigger keep_unit_name after update of name, name_local on faculties for each row
  when ((old.name, old.name_local) is distinct from (new.name, new.name_local)) execute function keep_unit_name('faculty_id');
create trigger keep_unit_name after update of name, name_local, faculty_id on departments for each row
  when ((old.name, old.name_local, old.faculty_id) is distinct from (new.name, new.name_local, new.faculty_id))
  execute function keep_unit_name('department_id');
create trigger keep_unit_name after update of name, name_local, faculty_id on programs for each row
  when ((old.name, old.name_local, old.faculty_id) is distinct from (new.name, new.name_local, new.faculty_id))
  execute function keep_unit_name('program_id');
create trigger guard_unit_succession before insert or update on unit_successions
  for each row execute function guard_unit_succession();
