-- Employees and instructors hand in documents as students do. A kind is of students or of who works here; what it asks about
-- beside that (nationality, level) is known of students alone.
alter table document_kinds
  add column whose text not null default 'students' check (whose in ('students', 'employees', 'instructors', 'staff')),
  add constraint kind_asks_of_students check (whose = 'students'
    or nationality = 'all' and num_nonnulls(gender, study_level, from_level, from_term_id) = 0);

-- Required of students: by kinds that are theirs.
create or replace function documents_required(ids integer[]) returns table (student_id integer, kind_id integer) language sql stable as $$
  select s.id, k.id
  from students s join programs p on p.id = s.program_id left join terms e on e.id = s.entry_term_id
    cross join document_kinds k left join terms f on f.id = k.from_term_id
  where s.id = any(ids)
    and (k.removed_at is null and k.is_required and k.whose = 'students'
        and (k.nationality = 'all' or s.nationality_id is not null and (k.nationality = 'egyptian') = (s.nationality_id = 64))
        and (k.gender is null or k.gender = s.gender)
        and (k.study_level is null or k.study_level = p.study_level)
        and (k.from_level is null or s.level >= k.from_level)
        and (k.from_term_id is null or e.start_date >= f.start_date)
      or exists (select from student_documents d where d.student_id = s.id and d.kind_id = k.id and d.asked and d.removed_at is null))
$$;
create or replace trigger settle_documents_of_all
  after insert or delete or update of is_required, whose, nationality, gender, study_level, from_level, from_term_id, removed_at
  on document_kinds for each statement execute function settle_documents_of_all();

create function create_documents(of text, people text) returns void language plpgsql as $$
begin
  execute format($table$
    create table %1$s_documents (
      id integer generated always as identity primary key,
      %1$s_id integer not null references %2$I on delete cascade,
      kind_id integer not null references document_kinds,
      status text not null default 'owed' check (status in ('owed', 'handed_in', 'accepted', 'rejected', 'outdated', 'waived')),
      asked boolean not null default false,
      file_id integer references files,
      number text,
      expires_on date,
      told_of date,
      version integer not null default 1,
      removed_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index %1$s_documents_person on %1$s_documents (%1$s_id, kind_id);
    create index %1$s_documents_waiting on %1$s_documents (created_at) where status = 'handed_in' and removed_at is null;
    create index %1$s_documents_expiry on %1$s_documents (expires_on) where status = 'accepted' and removed_at is null;
    create index %1$s_documents_kind on %1$s_documents (kind_id);
    create index %1$s_documents_file on %1$s_documents (file_id);
    -- Of one kind one is asked for or looked at, not two.
    create unique index %1$s_document_open_already on %1$s_documents (%1$s_id, kind_id)
      where status in ('owed', 'handed_in', 'waived') and removed_at is null;
    select audit_table('%1$s_documents')$table$, of, people);
end $$;
select create_documents('employee', 'users');
select create_documents('instructor', 'instructors');
drop function create_documents(text, text);

-- Kinds that are required of people who work here, by the kind or because they were asked for, and what of it they lack.
create function staff_documents(of text, ids integer[]) returns table (person_id integer, kind_id integer, lacking boolean)
language sql stable as $$
  with given as (
    select d.employee_id as person_id, d.kind_id, d.status, d.asked from employee_documents d
      where of = 'employees' and d.employee_id = any(ids) and d.removed_at is null
    union all select d.instructor_id, d.kind_id, d.status, d.asked from instructor_documents d
      where of = 'instructors' and d.instructor_id = any(ids) and d.removed_at is null)
  select r.person_id, r.kind_id, not exists (select from given g where g.person_id = r.person_id and g.kind_id = r.kind_id
      and g.status in ('accepted', 'waived'))
  from (
    select p.id as person_id, k.id as kind_id from unnest(ids) as p (id) cross join document_kinds k
      where k.removed_at is null and k.is_required and k.whose in (of, 'staff')
    union select g.person_id, g.kind_id from given g where g.asked) r
$$;

-- What is kept of an employee is not kept of a student's account.
create function refuse_no_employee() returns trigger language plpgsql as $$
begin
  if not exists (select from users u where u.id = new.employee_id and u.type = 2) then
    raise exception 'User % is no employee', new.employee_id using errcode = 'check_violation', constraint = 'person_no_employee';
  end if;
  return new;
end $$;
create trigger refuse_no_employee before insert or update of employee_id on employee_documents
  for each row execute function refuse_no_employee();
create trigger refuse_no_employee before insert or update of employee_id on employee_contracts
  for each row execute function refuse_no_employee();
