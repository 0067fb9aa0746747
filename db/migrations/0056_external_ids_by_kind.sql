-- Identity in other systems, each kind of record with a key of its own: a person is a row of users and may be a student,
-- an instructor or both, so an id alone does not say which table it means.

alter table external_ids rename to external_ids_before;
alter table external_ids_before rename constraint external_ids_pkey to external_ids_before_pkey;

create table external_ids (
  source text not null,
  kind text not null,
  external_id text not null,
  faculty_id integer references faculties on delete cascade,
  department_id integer references departments on delete cascade,
  year_id integer references years on delete cascade,
  term_id integer references terms on delete cascade,
  course_id integer references courses on delete cascade,
  offering_id integer references offerings on delete cascade,
  user_id integer references users on delete cascade,
  student_id integer references students on delete cascade,
  instructor_id integer references instructors on delete cascade,
  registration_id integer references registrations on delete cascade,
  -- What the last import wrote, by column: what differs from it was changed here since. null: not known.
  imported jsonb,
  -- When an import removed the record because the source no longer has it.
  removed_at timestamptz,
  primary key (source, kind, external_id),
  -- The key of the kind is set, and no other; a place in a team is an offering and an instructor.
  constraint external_ids_kind check (
    num_nonnulls(faculty_id, department_id, year_id, term_id, course_id, offering_id, user_id, student_id, instructor_id,
      registration_id) = case kind when 'teaching' then 2 else 1 end
    and coalesce(case kind
      when 'faculty' then faculty_id when 'department' then department_id when 'year' then year_id when 'term' then term_id
      when 'course' then course_id when 'offering' then offering_id when 'user' then user_id when 'student' then student_id
      when 'instructor' then instructor_id when 'registration' then registration_id
      when 'teaching' then least(offering_id, instructor_id) end is not null, false)),
  constraint external_ids_teaching foreign key (offering_id, instructor_id)
    references offering_instructors (offering_id, instructor_id) on delete cascade
);

-- What was imported before, wherever it is certain which record is meant. The rest is found again by its code.
insert into external_ids (source, kind, external_id, faculty_id, department_id)
  select b.source, case when f.id is null then 'department' else 'faculty' end, b.external_id, f.id, d.id
  from external_ids_before b left join faculties f on f.id = b.record_id left join departments d on d.id = b.record_id
  where b.kind = 'org' and num_nonnulls(f.id, d.id) = 1;
insert into external_ids (source, kind, external_id, year_id, term_id)
  select b.source, case when y.id is null then 'term' else 'year' end, b.external_id, y.id, t.id
  from external_ids_before b left join years y on y.id = b.record_id left join terms t on t.id = b.record_id
  where b.kind = 'session' and num_nonnulls(y.id, t.id) = 1;
insert into external_ids (source, kind, external_id, course_id)
  select b.source, 'course', b.external_id, c.id from external_ids_before b join courses c on c.id = b.record_id where b.kind = 'course';
insert into external_ids (source, kind, external_id, offering_id)
  select b.source, 'offering', b.external_id, o.id from external_ids_before b join offerings o on o.id = b.record_id where b.kind = 'class';
insert into external_ids (source, kind, external_id, student_id, instructor_id)
  select b.source, case when s.id is null then 'instructor' else 'student' end, b.external_id, s.id, i.id
  from external_ids_before b left join students s on s.id = b.record_id left join instructors i on i.id = b.record_id
  where b.kind = 'user' and num_nonnulls(s.id, i.id) = 1;
insert into external_ids (source, kind, external_id, user_id)
  select e.source, 'user', e.external_id, coalesce(s.user_id, i.user_id)
  from external_ids e left join students s on s.id = e.student_id left join instructors i on i.id = e.instructor_id
  where e.kind in ('student', 'instructor') and coalesce(s.user_id, i.user_id) is not null;
insert into external_ids (source, kind, external_id, registration_id)
  select b.source, 'registration', b.external_id, r.id
  from external_ids_before b join registrations r on r.id = b.record_id where b.kind = 'enrollment';
drop table external_ids_before;

create index external_ids_faculty on external_ids (faculty_id) where faculty_id is not null;
create index external_ids_department on external_ids (department_id) where department_id is not null;
create index external_ids_year on external_ids (year_id) where year_id is not null;
create index external_ids_term on external_ids (term_id) where term_id is not null;
create index external_ids_course on external_ids (course_id) where course_id is not null;
create index external_ids_offering on external_ids (offering_id) where offering_id is not null;
create index external_ids_user on external_ids (user_id) where user_id is not null;
create index external_ids_student on external_ids (student_id) where student_id is not null;
create index external_ids_instructor on external_ids (instructor_id) where instructor_id is not null;
create index external_ids_registration on external_ids (registration_id) where registration_id is not null;

-- An offering that moves to another term or course takes its meetings and registrations with it.
alter table offering_slots drop constraint offering_slots_offering;
alter table offering_slots add constraint offering_slots_offering foreign key (offering_id, term_id)
  references offerings (id, term_id) on update cascade on delete cascade not valid;
alter table registrations drop constraint registrations_offering;
alter table registrations add constraint registrations_offering foreign key (offering_id, term_id, course_id)
  references offerings (id, term_id, course_id) on update cascade not valid;
