-- How students stood from which day to which: a report counts them as of any day. Kept by a trigger of `students`; what was before it is
-- told by decisions on the status, finished terms, years of levels and transfers.
create table student_standings (
  student_id integer not null references students on delete cascade,
  from_day date not null,
  -- The first day on which it is otherwise; null: it is so.
  until_day date,
  status text not null,
  faculty_id integer references faculties,
  program_id integer references programs,
  level smallint,
  primary key (student_id, from_day),
  constraint student_standing_days check (until_day > from_day)
);
create unique index student_standing_now on student_standings (student_id) where until_day is null;
create index student_standings_days on student_standings (from_day, until_day);
create index student_standings_faculty on student_standings (faculty_id);
create index student_standings_program on student_standings (program_id);

-- From which day on it is known: before, students stand as on the first day of which something is known.
create table student_standings_known (
  what text primary key check (what in ('status', 'level', 'place')),
  since date not null
);

install function restate_standings, begin_standings, keep_standing;
-- Before what was is worked out: until this is done nobody changes a student beside it.
create trigger begin_standings after insert on students referencing new table as new_rows
  for each statement execute function begin_standings();
create trigger keep_standing_update after update of status, faculty_id, program_id, level on students for each row
  when (old.status is distinct from new.status or old.faculty_id is distinct from new.faculty_id
    or old.program_id is distinct from new.program_id or old.level is distinct from new.level)
  execute function keep_standing();
select restate_standings();
