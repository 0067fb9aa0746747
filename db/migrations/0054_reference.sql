-- What every request for a course is judged by and hardly ever changes, kept in the programs: periods of the teaching
-- day, and courses that count as each other. A version says when to read it again, in the same transaction as the change.

create table registration_reference (
  one boolean primary key default true check (one),
  version integer not null default 1
);
insert into registration_reference default values;
create function reference_changed() returns trigger language plpgsql as $$
begin
  update registration_reference set version = version + 1;
  return null;
end $$;
create trigger reference_changed after insert or update or delete on slots
  for each statement execute function reference_changed();

-- Courses that count as each other: whoever has passed one has passed the other.
create table course_equals (
  course_id integer not null references courses on delete cascade,
  equal_course_id integer not null references courses,
  primary key (course_id, equal_course_id),
  constraint course_equals_other check (course_id <> equal_course_id)
);
create index course_equals_equal on course_equals (equal_course_id);
select audit_table('course_equals');
create trigger reference_changed after insert or update or delete on course_equals
  for each statement execute function reference_changed();
-- Said of one, it holds for the other.
create function equal_both_ways() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if exists (select from new_rows) then
      insert into course_equals (course_id, equal_course_id) select equal_course_id, course_id from new_rows on conflict do nothing;
    end if;
  elsif exists (select from old_rows) then
    delete from course_equals e using old_rows o where e.course_id = o.equal_course_id and e.equal_course_id = o.course_id;
  end if;
  return null;
end $$;
create trigger equal_both_ways_insert after insert on course_equals referencing new table as new_rows
  for each statement execute function equal_both_ways();
create trigger equal_both_ways_delete after delete on course_equals referencing old table as old_rows
  for each statement execute function equal_both_ways();
