-- Exams of a term: their days, slots and halls, who sits and invigilates where, absences and papers.

install function guard_removed_exam, tell_exam_times, guard_published_halls, guard_exam_hall, keep_exam_time,
  guard_exam_students, guard_moved_exam_students, leave_exam_seats, guard_held_exam, keep_exam_part_time,
  guard_exam_halls, follow_exam_seats, guard_exam_meetings, keep_exam_seats, guard_exam_day,
  case_with_its_registrations, guard_exam_location, follow_exam_times, guard_exam_papers, end_exam_placement,
  guard_meeting_hall, sits_exam, exam_list_print;

-- The exams of one kind that a faculty holds in a term; without a faculty, the university.
create table exams (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  term_id integer not null references terms,
  faculty_id integer references faculties,
  kind text not null check (kind in ('midterm', 'final', 'oral', 'practical')),
  status text not null default 'draft' check (status in ('draft', 'published')),
  published_at timestamptz,
  -- For so many students a hall needs one invigilator.
  students_per_invigilator smallint not null default 40 check (students_per_invigilator between 1 and 500),
  notes text,
  -- What automatic placement weighs, by name.
  weights jsonb not null default '{}',
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint exams_code_key unique (code),
  constraint exams_published check ((status = 'published') = (published_at is not null))
);
create index exams_term on exams (term_id);
create index exams_faculty on exams (faculty_id);
create unique index exams_code_in_any_case on exams (lower(code));
select audit_table('exams');
create trigger guard_removed before update of removed_at on exams for each row
  when (old.removed_at is null and new.removed_at is not null) execute function guard_removed_exam();
create trigger tell_times after update of status on exams for each row
  when (old.status is distinct from new.status) execute function tell_exam_times();
create trigger guard_published_halls after update of status on exams for each row
  when (new.status = 'published' and old.status <> 'published') execute function guard_published_halls();

create table exam_days (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  on_date date not null,
  -- How unwelcome the day is to automatic placement.
  penalty smallint not null default 0 check (penalty between 0 and 1000),
  constraint exam_day_twice unique (exam_id, on_date)
);
select audit_rows('exam_days', 'exam_id');

-- The slots that an exam has on each of its days.
create table exam_times (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  exam_slot_id integer not null references exam_slots,
  penalty smallint not null default 0 check (penalty between 0 and 1000),
  constraint exam_time_twice unique (exam_id, exam_slot_id)
);
create index exam_times_slot on exam_times (exam_slot_id);
select audit_rows('exam_times', 'exam_id');

-- The halls of an exam, with the seats that may be used in an exam.
create table exam_halls (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  location_id integer not null references locations,
  seats smallint not null check (seats between 1 and 10000),
  penalty smallint not null default 0 check (penalty between 0 and 1000),
  constraint exam_hall_twice unique (exam_id, location_id)
);
create index exam_halls_location on exam_halls (location_id);
select audit_rows('exam_halls', 'exam_id');
create trigger guard_hall before insert or update on exam_halls for each row execute function guard_exam_hall();

-- What is not to be had: a slot of a day (a whole day without slot), or then only a hall or an instructor.
create table exam_closures (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  -- A hall or a person is not to be had on any day of an exam, where none is named.
  on_date date,
  exam_slot_id integer references exam_slots,
  location_id integer references locations,
  instructor_id integer references instructors,
  constraint exam_closures_one check (num_nonnulls(location_id, instructor_id) <= 1),
  constraint exam_closures_every_day check (on_date is not null or num_nonnulls(location_id, instructor_id) = 1)
);
create index exam_closures_exam on exam_closures (exam_id, on_date);
create index exam_closures_slot on exam_closures (exam_slot_id);
create index exam_closures_location on exam_closures (location_id);
create index exam_closures_instructor on exam_closures (instructor_id);
select audit_rows('exam_closures', 'exam_id');

-- How exams of offerings stand to each other: one after the other, at the same time, never at the same time, alone in its halls.
create table exam_relations (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  kind text not null check (kind in ('after', 'together', 'apart', 'alone')),
  offering_id integer not null references offerings,
  other_offering_id integer references offerings,
  constraint exam_relations_other check ((kind = 'alone') = (other_offering_id is null)),
  constraint exam_relations_self check (offering_id <> other_offering_id)
);
create index exam_relations_exam on exam_relations (exam_id);
create index exam_relations_offering on exam_relations (offering_id);
create index exam_relations_other_offering on exam_relations (other_offering_id);
select audit_rows('exam_relations', 'exam_id');

-- One offering in an exam, without day and slot until it is placed.
create table exam_schedules (
  id integer generated always as identity primary key,
  exam_id integer not null references exams,
  offering_id integer not null references offerings,
  on_date date,
  exam_slot_id integer,
  -- When it is held, by the season; kept by the database.
  during tsrange,
  is_locked boolean not null default false,
  -- Minutes; null: the whole slot.
  duration smallint check (duration between 5 and 600),
  open_book boolean not null default false,
  calculator boolean not null default false,
  instructions text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When people were told that an exam is held: what stands in their calendars. It stays while a published exam is opened again,
  -- so that calendars cancel what they hold, and it is behind `during` when a slot or the season has moved a published exam.
  told tsrange,
  constraint exam_schedules_placed check ((on_date is null) = (exam_slot_id is null)),
  constraint exam_schedules_day foreign key (exam_id, on_date) references exam_days (exam_id, on_date),
  constraint exam_schedules_time foreign key (exam_id, exam_slot_id) references exam_times (exam_id, exam_slot_id),
  constraint exam_schedules_of_exam unique (id, exam_id)
);
create unique index exam_offering_twice on exam_schedules (exam_id, offering_id) where removed_at is null;
create index exam_schedules_offering on exam_schedules (offering_id) where removed_at is null;
create index exam_schedules_at on exam_schedules (exam_id, on_date, exam_slot_id);
create index exam_schedules_slot on exam_schedules (exam_slot_id);
create index exam_schedules_during on exam_schedules using gist (during);
select audit_table('exam_schedules', array['during', 'told']);
create trigger keep_time before insert or update on exam_schedules for each row execute function keep_exam_time();
create trigger guard_students after insert on exam_schedules referencing new table as new_rows
  for each statement execute function guard_exam_students();
create trigger guard_moved_students after update on exam_schedules referencing old table as old_rows new table as new_rows
  for each statement execute function guard_moved_exam_students();
create trigger leave_seats after update of on_date, exam_slot_id on exam_schedules for each row
  when ((old.on_date, old.exam_slot_id) is distinct from (new.on_date, new.exam_slot_id)) execute function leave_exam_seats();
create trigger guard_held before update of on_date, exam_slot_id, removed_at on exam_schedules
  for each row execute function guard_held_exam();

-- In which halls, for how many students in each.
create table exam_schedule_locations (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null,
  exam_id integer not null,
  location_id integer not null references locations,
  seats smallint not null check (seats between 1 and 10000),
  during tsrange not null,
  constraint exam_schedule_locations_schedule foreign key (exam_schedule_id, exam_id)
    references exam_schedules (id, exam_id) on delete cascade,
  constraint exam_schedule_locations_hall foreign key (exam_id, location_id) references exam_halls (exam_id, location_id),
  constraint exam_schedule_location_twice unique (exam_schedule_id, location_id)
);
create index exam_schedule_locations_at on exam_schedule_locations using gist (location_id, during);
create index exam_schedule_locations_exam on exam_schedule_locations (exam_id, location_id);
select audit_rows('exam_schedule_locations', 'exam_schedule_id');
create trigger keep_time before insert on exam_schedule_locations for each row execute function keep_exam_part_time();
create trigger guard_added after insert on exam_schedule_locations referencing new table as new_rows
  for each statement execute function guard_exam_halls();
create trigger guard_changed after update on exam_schedule_locations referencing new table as new_rows
  for each statement execute function guard_exam_halls();
create trigger follow_seats after update on exam_schedule_locations referencing new table as new_rows
  for each statement execute function follow_exam_seats();
create trigger guard_meetings_added after insert on exam_schedule_locations referencing new table as new_rows
  for each statement execute function guard_exam_meetings();
create trigger guard_meetings_changed after update on exam_schedule_locations referencing old table as old_rows new table as new_rows
  for each statement execute function guard_exam_meetings();

-- Who invigilates in a hall. Where exams share the hall, the same people look after all of them.
create table exam_schedule_instructors (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null,
  location_id integer not null,
  instructor_id integer not null references instructors,
  role text not null default 'invigilator' check (role in ('chief', 'invigilator')),
  during tsrange not null,
  constraint exam_schedule_instructors_hall foreign key (exam_schedule_id, location_id)
    references exam_schedule_locations (exam_schedule_id, location_id) on delete cascade,
  constraint exam_invigilator_repeated unique (exam_schedule_id, location_id, instructor_id),
  constraint exam_invigilator_elsewhere exclude using gist (instructor_id with =, location_id with <>, during with &&) deferrable
);
create index exam_schedule_instructors_person on exam_schedule_instructors (instructor_id);
select audit_rows('exam_schedule_instructors', 'exam_schedule_id');
create trigger keep_time before insert on exam_schedule_instructors for each row execute function keep_exam_part_time();

-- Runs of automatic placement: what was asked for, how far it is, and the best plan so far.
create table exam_placements (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  kind text not null check (kind in ('place', 'repair')),
  state text not null default 'running' check (state in ('running', 'proposed', 'taken', 'discarded', 'failed')),
  job_id uuid,
  weights jsonb not null,
  seconds smallint not null check (seconds between 1 and 3600),
  -- The best so far is to be kept, and no better one looked for.
  is_stopped boolean not null default false,
  progress smallint not null default 0,
  -- Figures of the plan, by name; those of the present plan beside them.
  cost jsonb,
  present_cost jsonb,
  -- [schedule, date, slot, [[location, seats], …]] of each exam.
  plan jsonb,
  -- Why something has no place.
  reasons jsonb not null default '[]',
  -- The plan as it stood when the run began, to tell what was changed meanwhile.
  base jsonb not null default '[]',
  created_by integer references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  taken_by integer references users,
  taken_at timestamptz,
  -- A repair runs as a job: which schedules must go elsewhere.
  must_move integer[] not null default '{}'
);
create index exam_placements_exam on exam_placements (exam_id, id desc);
create unique index exam_placement_runs on exam_placements (exam_id) where state = 'running';
create index exam_placements_by on exam_placements (created_by);
create index exam_placements_taken_by on exam_placements (taken_by);
create index exam_placements_job on exam_placements (job_id) where state = 'running';

-- What students write on in an exam: booklets, sheets that a machine reads.
create table exam_papers_types (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  pages integer check (pages between 1 and 200),
  is_machine_read boolean not null default false,
  constraint exam_papers_types_code_key unique (code)
);
create unique index exam_papers_types_code_in_any_case on exam_papers_types (lower(code));
select audit_table('exam_papers_types');

-- Where each student sits in an exam. Seats are assigned for a whole exam: proposed first, then taken.
create table exam_seatings (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  -- The same seed gives the same seats.
  seed integer not null,
  -- Those who have a seat keep it.
  only_missing boolean not null default false,
  state text not null default 'proposed' check (state in ('proposed', 'taken', 'discarded')),
  -- What it was made of: students, halls and their times. Another print, and it is made again.
  print text not null,
  -- [schedule, location, registration, seat] of each student, until it is taken.
  plan jsonb,
  seated integer not null,
  -- Students without a seat, and why: [schedule, count].
  unseated jsonb not null default '[]',
  -- Halls of each schedule when it was taken: [schedule, location]. What is missing later was lost.
  halls jsonb not null default '[]',
  made_by integer references users,
  made_at timestamptz not null default now(),
  taken_by integer references users,
  taken_at timestamptz
);
create index exam_seatings_exam on exam_seatings (exam_id, id desc);
create index exam_seatings_made_by on exam_seatings (made_by);
create index exam_seatings_taken_by on exam_seatings (taken_by);
select audit_table('exam_seatings', array['plan', 'halls', 'unseated', 'print']);

create table exam_seats (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null,
  location_id integer not null,
  during tsrange not null,
  seat smallint not null check (seat between 1 and 10000),
  registration_id integer not null references registrations on delete cascade,
  constraint exam_seats_hall foreign key (exam_schedule_id, location_id)
    references exam_schedule_locations (exam_schedule_id, location_id) on delete cascade,
  -- One seat for each student and exam, and one student on a seat at a time, whatever exams share the hall.
  constraint exam_seat_twice unique (exam_schedule_id, registration_id),
  constraint exam_seat_taken exclude using gist (location_id with =, seat with =, during with &&) deferrable
);
create index exam_seats_hall on exam_seats (exam_schedule_id, location_id, seat);
create index exam_seats_registration on exam_seats (registration_id);
create trigger keep_seats after insert on exam_seats referencing new table as new_rows
  for each statement execute function keep_exam_seats();

-- Who was away from an exam.
create table exam_absences (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null references exam_schedules,
  registration_id integer not null references registrations on delete cascade,
  status text not null default 'recorded' check (status in ('recorded', 'excused', 'cancelled')),
  note text,
  -- The accepted excuse that excuses it.
  excuse_id integer references excuses,
  recorded_by integer references users,
  recorded_at timestamptz not null default now(),
  version integer not null default 1,
  removed_at timestamptz,
  constraint exam_absence_twice unique (exam_schedule_id, registration_id)
);
create index exam_absences_registration on exam_absences (registration_id);
create index exam_absences_excuse on exam_absences (excuse_id);
create index exam_absences_by on exam_absences (recorded_by);
select audit_table('exam_absences');
create trigger guard_exam before insert or update of exam_schedule_id, registration_id on exam_absences
  for each row execute function guard_exam_day();

-- What happened in an exam that is looked into, and what was decided.
create table exam_cases (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null references exam_schedules,
  registration_id integer not null references registrations on delete cascade,
  status text not null default 'opened' check (status in ('opened', 'cleared', 'punished', 'appealed')),
  what text not null,
  file_id integer references files,
  -- warning: nothing but the record; course: this course; term: every course of the term.
  measure text check (measure in ('warning', 'course', 'term')),
  decided_reason text,
  -- Registrations that the punishment took: those come back when it is taken back.
  punished_ids integer[] not null default '{}',
  opened_by integer references users,
  opened_at timestamptz not null default now(),
  version integer not null default 1,
  removed_at timestamptz
);
-- One at a time about a student in an exam.
create unique index exam_case_twice on exam_cases (exam_schedule_id, registration_id) where status <> 'cleared' and removed_at is null;
create index exam_cases_registration on exam_cases (registration_id);
create index exam_cases_file on exam_cases (file_id);
create index exam_cases_by on exam_cases (opened_by);
-- A registration is punished, banned, absent or excused by a decision, and by nothing else: an investigation, a case of
-- absence, an absence recorded in the final exam, an excuse. At commit both stand, or neither does, whoever wrote.
create index exam_cases_punished on exam_cases using gin (punished_ids) where status in ('punished', 'appealed');
select audit_table('exam_cases');
create trigger guard_exam before insert or update of exam_schedule_id, registration_id on exam_cases
  for each row execute function guard_exam_day();
create constraint trigger case_with_its_registrations after update on exam_cases deferrable initially deferred
  for each row when (old.status is distinct from new.status or old.punished_ids is distinct from new.punished_ids)
  execute function case_with_its_registrations();

-- Papers of exams, hall by hall: how many went in, how many came back.
create table exam_deliveries (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null,
  location_id integer not null,
  paper_type_id integer references exam_papers_types,
  delivered smallint not null check (delivered between 0 and 10000),
  delivered_by integer references users,
  delivered_at timestamptz not null default now(),
  returned smallint check (returned between 0 and 10000),
  returned_by integer references users,
  returned_at timestamptz,
  -- Why the counts differ.
  explanation text,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint exam_delivery_twice unique (exam_schedule_id, location_id),
  -- A hall in which papers are is not taken from the exam.
  constraint exam_papers_there foreign key (exam_schedule_id, location_id)
    references exam_schedule_locations (exam_schedule_id, location_id),
  constraint exam_delivery_returned check ((returned is null) = (returned_at is null)),
  -- No more papers come back than went into the hall. What was counted before stays.
  constraint papers_more_than_out check (returned <= delivered)
);
create index exam_deliveries_paper_type on exam_deliveries (paper_type_id);
create index exam_deliveries_by on exam_deliveries (delivered_by);
create index exam_deliveries_returned_by on exam_deliveries (returned_by);
select audit_table('exam_deliveries');

-- Lists of a hall that were printed: what stood on them, so that a list on a door that is not right any more is told.
create table exam_prints (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null references exam_schedules on delete cascade,
  location_id integer not null references locations,
  kind text not null check (kind in ('door', 'plan', 'sheet')),
  -- Who sat where and when (exam_list_print).
  print text not null,
  -- When the exam was then.
  held tsrange not null,
  printed_by integer references users,
  printed_at timestamptz not null default now(),
  constraint exam_print_once unique (exam_schedule_id, location_id, kind)
);
create index exam_prints_location on exam_prints (location_id);
create index exam_prints_by on exam_prints (printed_by);

-- What happens here when rows of other wings change -----------------------------------------------------------------

create trigger guard_exams before update of capacity on locations for each row
  when (new.capacity < old.capacity and new.location_type <> 'online') execute function guard_exam_location();
create trigger follow_exams after update of start_time, end_time, ramadan_start_time, ramadan_end_time on exam_slots
  for each statement execute function follow_exam_times();
create trigger follow_exams after update on ramadan_status for each statement execute function follow_exam_times();
create trigger follow_exams after insert or update or delete on calendar_events for each statement execute function follow_exam_times();
create trigger exam_papers before update of control_status on offerings for each row
  when (old.control_status = 'Reviewed' and new.control_status = 'Approved') execute function guard_exam_papers();
create trigger end_exam_placement after update of state on jobs for each row
  when (new.name = 'exam-placement' and new.state in ('done', 'failed', 'cancelled')) execute function end_exam_placement();
create constraint trigger guard_hall after insert or update of cancelled_at, date, slot_id, location_id on meeting_occurrences
  for each row when (new.makes_up_id is not null and new.cancelled_at is null and new.location_id is not null)
  execute function guard_meeting_hall();
create constraint trigger case_with_its_registrations after update on absence_cases deferrable initially deferred
  for each row when (old.status is distinct from new.status) execute function case_with_its_registrations();

-- Views ---------------------------------------------------------------------------------------------------------------

-- Students who have two exams at once: registered after both were placed.
create view exam_clashes as
  select a.id as exam_schedule_id, b.id as other_schedule_id, r.student_id, a.exam_id
  from exam_schedules a
    join exam_schedules b on b.during && a.during and b.id <> a.id and b.removed_at is null
    join registrations r on r.offering_id = a.offering_id and sits_exam(r.status)
    join registrations q on q.student_id = r.student_id and q.offering_id = b.offering_id and sits_exam(q.status)
  where a.removed_at is null and a.offering_id <> b.offering_id;

-- The papers of each hall of an exam: who is present is counted from seats and absences, never typed.
create view exam_papers as
  select l.id, l.exam_schedule_id, l.exam_id, l.location_id, s.offering_id, e.kind = 'final' as final, z.seated, z.present,
    d.id as delivery_id, d.paper_type_id, d.delivered, d.returned, d.explanation, d.delivered_at, d.returned_at,
    coalesce(d.version, 0) as version,
    case when d.id is null then case when z.seated = 0 then 'nobody_seated' else 'waiting' end
      when d.returned is null then 'delivered'
      when d.delivered = z.present and d.returned = z.present then 'returned'
      when d.explanation is null then 'differs' else 'explained' end as state
  from exam_schedule_locations l
    join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
    join exams e on e.id = s.exam_id and e.removed_at is null
    left join exam_deliveries d on d.exam_schedule_id = l.exam_schedule_id and d.location_id = l.location_id
    cross join lateral (select count(*)::int as seated,
        (count(*) filter (where r.status & 536870912 = 0 and not exists (select from exam_absences a
          where a.exam_schedule_id = l.exam_schedule_id and a.registration_id = r.id and a.status in ('recorded', 'excused'))))::int as present
      from exam_seats x join registrations r on r.id = x.registration_id and sits_exam(r.status)
      where x.exam_schedule_id = l.exam_schedule_id and x.location_id = l.location_id) z;

-- Lists that hang on doors and are not right: others sit there, on other seats, at another time, or nobody.
create view exam_prints_outdated as
  select p.* from exam_prints p join exam_schedules s on s.id = p.exam_schedule_id
  where p.print is distinct from exam_list_print(p.exam_schedule_id, p.location_id);

-- What the program and other functions call.
install function closed_by_meetings, exam_papers_open, exam_recorded, exam_time, hold_exam_plan,
  refuse_exam_beside_meeting, registration_case_stands;
