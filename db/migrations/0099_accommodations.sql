-- What the exam office has granted a student for exams: more time, a room of the student's own, somebody who reads or writes. Halls
-- are held, and people stay, until the last of those who have more time has written.
create table exam_accommodations (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  from_term_id integer not null references terms,
  -- Null: for good.
  to_term_id integer references terms,
  -- The days of these terms; kept by the database.
  covers daterange not null,
  extra_percent smallint constraint exam_accommodations_percent check (extra_percent between 5 and 200),
  own_room boolean not null default false,
  helper text check (helper in ('reader', 'scribe')),
  -- What else is to be seen to: large print, a seat near the door.
  notes text check (length(notes) between 1 and 500),
  reason text check (length(reason) between 1 and 1000),
  file_id integer references files,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint exam_accommodation_nothing check (extra_percent is not null or own_room),
  -- Who reads aloud, or is dictated to, disturbs everybody else in a hall.
  constraint exam_accommodation_helper check (helper is null or own_room),
  constraint exam_accommodation_twice exclude using gist (student_id with =, covers with &&) where (removed_at is null)
);
create index exam_accommodations_student on exam_accommodations (student_id);
create index exam_accommodations_from_term on exam_accommodations (from_term_id);
create index exam_accommodations_to_term on exam_accommodations (to_term_id);
create index exam_accommodations_file on exam_accommodations (file_id);
-- The trail tells what was granted, and not why.
select audit_table('exam_accommodations', array['covers', 'reason', 'file_id']);
install function keep_exam_accommodation, follow_accommodation_terms;
create trigger keep_covers before insert or update on exam_accommodations
  for each row execute function keep_exam_accommodation();
create trigger follow_accommodations after update of start_date, end_date on terms
  for each row when ((old.start_date, old.end_date) is distinct from (new.start_date, new.end_date))
  execute function follow_accommodation_terms();

-- Each exam of who has something granted: how many minutes more, and until when it lasts for the student.
create view exam_accommodated as
  select s.id as exam_schedule_id, s.exam_id, r.id as registration_id, r.student_id, r.term_id, a.id as accommodation_id, a.extra_percent, a.own_room, a.helper,
    coalesce(m.minutes, 0) as minutes,
    case when s.during is not null
      then tsrange(lower(s.during), upper(s.during) + make_interval(mins => coalesce(m.minutes, 0))) end as during
  from exam_accommodations a
    join registrations r on r.student_id = a.student_id and sits_exam(r.status)
    join terms t on t.id = r.term_id and a.covers @> t.start_date
    join exam_schedules s on s.offering_id = r.offering_id and s.removed_at is null
    cross join lateral (select ceil(extract(epoch from upper(s.during) - lower(s.during)) / 60 * a.extra_percent / 100)::int as minutes) m
  where a.removed_at is null;

-- How a hall is held for them: so many minutes after the exam ends; by a student alone; and who helps there. It tells who plans, and no history.
alter table exam_schedule_locations
  add column extra smallint not null default 0 check (extra between 0 and 1200),
  add column own_room boolean not null default false,
  add column helper text check (helper in ('reader', 'scribe')),
  add constraint exam_room_seats check (not own_room or seats = 1),
  add constraint exam_room_helper check (helper is null or own_room);
drop trigger audit_insert on exam_schedule_locations;
drop trigger audit_update on exam_schedule_locations;
drop trigger audit_delete on exam_schedule_locations;
create trigger audit_insert after insert on exam_schedule_locations referencing new table as new_rows for each statement
  execute function audit_change('{exam_schedule_id,id}', '{search_text,version,created_at,updated_at,extra,own_room,helper}');
create trigger audit_update after update on exam_schedule_locations referencing old table as old_rows new table as new_rows for each statement
  execute function audit_change('{exam_schedule_id,id}', '{search_text,version,created_at,updated_at,extra,own_room,helper}');
create trigger audit_delete after delete on exam_schedule_locations referencing old table as old_rows for each statement
  execute function audit_change('{exam_schedule_id,id}', '{search_text,version,created_at,updated_at,extra,own_room,helper}');
-- Who reads or writes for a student takes the place of an invigilator.
alter table exam_schedule_instructors drop constraint exam_schedule_instructors_role_check;
alter table exam_schedule_instructors add constraint exam_schedule_instructors_role_check
  check (role in ('chief', 'invigilator', 'reader', 'scribe'));

install function exam_longer, refuse_longer_clash, keep_exam_part_time, keep_exam_hall_time, guard_exam_students, guard_moved_exam_students, guard_exam_halls,
  follow_exam_seats, keep_exam_seats, exam_end, exams_against_accommodations;
create trigger keep_held before update of extra on exam_schedule_locations
  for each row when (old.extra is distinct from new.extra) execute function keep_exam_hall_time();

-- Students who have two exams at once: registered, or given more time, after both were placed.
create or replace view exam_clashes as
  select a.id as exam_schedule_id, b.id as other_schedule_id, r.student_id, a.exam_id
  from exam_schedules a
    join exam_schedules b on b.during && a.during and b.id <> a.id and b.removed_at is null
    join registrations r on r.offering_id = a.offering_id and sits_exam(r.status)
    join registrations q on q.student_id = r.student_id and q.offering_id = b.offering_id and sits_exam(q.status)
  where a.removed_at is null and a.offering_id <> b.offering_id
  union
  select case when z.turned then b.id else x.exam_schedule_id end, case when z.turned then x.exam_schedule_id else b.id end, x.student_id,
    case when z.turned then b.exam_id else x.exam_id end
  from exam_accommodated x
    join registrations q on q.student_id = x.student_id and q.term_id = x.term_id and sits_exam(q.status)
    join exam_schedules b on b.offering_id = q.offering_id and b.removed_at is null and b.id <> x.exam_schedule_id and b.during && x.during
    cross join (values (false), (true)) as z (turned);
