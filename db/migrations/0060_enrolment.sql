-- How students come to their courses: seats, turns and queues, attendance, transfers, specialisation.

install function take_seats, give_back_seats, guard_parts, keep_history, count_waiting, move_turns_of_person,
  keep_way_of_specialization, keep_wanted_seat, check_specialization_preferences, one_way_of_transfer,
  follow_university, keep_credit_words, credits_changed, credits_came, keep_made_up, attendance_of_held_meeting,
  first_turn, reference_changed, end_places_of_returned, look_at_new_registrations, share_turns_of_added,
  share_turns_of_deleted, end_exchange_of_request, end_exchange_of_given, credit_counts_again, keep_bylaw_of_program,
  share_turns_of_changed;

-- A seat held by a registration: the row exists exactly as long as the seat is held.
create table registration_slots (
  registration_id integer not null references registrations on delete cascade,
  offering_slot_id integer not null references offering_slots,
  -- Taken with the right to places above the quota.
  over boolean not null default false,
  primary key (registration_id, offering_slot_id)
);
create index registration_slots_slot on registration_slots (offering_slot_id);
create trigger registration_slots_take after insert on registration_slots
  referencing new table as added for each statement execute function take_seats();
create trigger registration_slots_give_back after delete on registration_slots
  referencing old table as gone for each statement execute function give_back_seats();
create trigger control_insert after insert on registration_slots referencing new table as new_rows
  for each statement execute function guard_parts('seat');
create trigger control_update after update on registration_slots referencing new table as new_rows
  for each statement execute function guard_parts('seat');
create trigger control_delete after delete on registration_slots referencing old table as old_rows
  for each statement execute function guard_parts('seat');

-- Never overwritten.
create table registration_history (
  id bigint generated always as identity primary key,
  registration_id integer not null,
  student_id integer not null references students,
  offering_id integer not null references offerings,
  at timestamptz not null default now(),
  actor_id integer references users,
  impersonator_id integer references users,
  action text not null,
  from_status bigint,
  -- null: the registration was removed
  to_status bigint,
  reason text,
  -- Rules that were overridden: [{code, reason}]
  overrides jsonb,
  -- Slots chosen when the step was made, or given back by it: what an undo takes again.
  offering_slot_ids integer[]
);
create index registration_history_student on registration_history (student_id, at);
create index registration_history_offering on registration_history (offering_id, at);
create index registration_history_registration on registration_history (registration_id);
-- What happened in a time: these tables only grow, in the order of time, so a small index over ranges of pages does.
create index registration_history_at on registration_history using brin (at);
create trigger registration_history_kept before update or delete on registration_history
  for each row execute function keep_history();

-- Queue for a full offering: first come, first moved when a seat is freed and the rules still hold.
create table wait_list (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  student_id integer not null references students on delete cascade,
  offering_slot_ids integer[] not null,
  created_at timestamptz not null default now(),
  -- waiting → moved (a request was made) | left (by the student, or because the course can no longer be had) | expired
  -- (the windows of the student's term are over) | ended (what was to be given up cannot be given up any more, and why)
  state text not null default 'waiting' check (state in ('waiting', 'moved', 'left', 'expired', 'ended')),
  moved_at timestamptz,
  -- To improve a grade already passed: asked for when joining, never assumed when moved.
  improve boolean not null default false,
  -- A place in a queue in exchange for a seat: when the new seat is had, the one named here is given up in the same
  -- transaction, and not otherwise.
  -- The registration that is given up. No foreign key: it may be removed, and then the place ends.
  gives_up_id integer,
  -- Every meeting of the choice; `offering_slot_ids` are those among them that the student has no seat in yet.
  swap_slot_ids integer[],
  end_reason text,
  -- Who answers for a student may agree to an exchange before the seat is there: then it is had and the course given up in one
  -- moment, also in a ring, where nobody could wait for an answer.
  approved_at timestamptz,
  approved_by integer references users,
  constraint wait_list_swap check ((gives_up_id is null) = (swap_slot_ids is null)),
  constraint wait_list_ended check ((state = 'ended') = (end_reason is not null)
    and (end_reason is null or gives_up_id is not null)),
  constraint wait_list_approved check ((approved_at is null or gives_up_id is not null) and (approved_by is null or approved_at is not null))
);
create unique index wait_list_waiting on wait_list (offering_id, student_id) where state = 'waiting';
create index wait_list_order on wait_list (offering_id, id) where state = 'waiting';
create index wait_list_student on wait_list (student_id);
-- Who gets into a course, whichever way, waits for it no longer: the places of the student for that course in that term
-- end in the same transaction, and with them what was held for them. Who is moved from the queue is marked first.
create index wait_list_waiting_student on wait_list (student_id) where state = 'waiting';
-- A seat is offered for one other at a time.
create unique index swap_already on wait_list (gives_up_id) where state = 'waiting';
create index wait_list_approved_by on wait_list (approved_by);
select audit_table('wait_list');
create trigger count_waiting_insert after insert on wait_list referencing new table as new_rows
  for each statement execute function count_waiting();
create trigger count_waiting_update after update on wait_list referencing old table as old_rows new table as new_rows
  for each statement execute function count_waiting();
create trigger count_waiting_delete after delete on wait_list referencing old table as old_rows
  for each statement execute function count_waiting();

-- Requests of one student take turns: what was gathered to judge a request still holds when it is written, or the
-- request is judged again. Two tabs cannot together pass a limit that each alone keeps.
create table registration_turns (
  student_id integer primary key references students on delete cascade,
  turn integer not null,
  -- Whatever is registered in one record concerns the others of the person: the turns of all of them move on together, whoever
  -- writes, so that a request that was judged beside the other record as it was before is judged again.
  account integer
) with (fillfactor = 50);
create trigger move_turns_of_person after update of turn on registration_turns
  for each row when (new.account is not null and pg_trigger_depth() = 0) execute function move_turns_of_person();
comment on column registration_turns.account is 'The account, where it bears several records; null: it bears one, or there is none.';

-- What every request for a course is judged by and hardly ever changes, kept in the programs: periods of the teaching
-- day, and courses that count as each other. A version says when to read it again, in the same transaction as the change.
create table registration_reference (
  one boolean primary key default true check (one),
  version integer not null default 1
);
insert into registration_reference default values;

-- Specialisation: where students of a general program may go on, the windows in which they put their wishes in order, what a
-- distribution came to, and who was given which program.

-- A way from a general program into a program, with the places and conditions that windows begin with.
create table specializations (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  bylaw_id integer not null references bylaws,
  general_program_id integer not null references programs,
  program_id integer not null references programs,
  capacity integer not null check (capacity between 0 and 100000),
  min_gpa numeric(3, 2) check (min_gpa between 0 and 4),
  min_passed_hours numeric(6, 2) check (min_passed_hours between 0 and 300),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specializations_code_key unique (code),
  constraint specializations_elsewhere check (general_program_id <> program_id)
);
-- Two ways into one program may differ in places and conditions: they have two names.
create unique index specialization_twice on specializations (general_program_id, program_id, fold_text(name)) where removed_at is null;
create index specializations_bylaw on specializations (bylaw_id);
create index specializations_program on specializations (program_id);
create unique index specializations_code_in_any_case on specializations (lower(code));
select audit_table('specializations');
create trigger keep_way before update of bylaw_id, general_program_id, program_id on specializations for each row
  when ((old.bylaw_id, old.general_program_id, old.program_id) is distinct from (new.bylaw_id, new.general_program_id, new.program_id))
  execute function keep_way_of_specialization();

-- Courses that must be passed, some with a grade.
create table specialization_courses (
  id integer generated always as identity primary key,
  specialization_id integer not null references specializations on delete cascade,
  position smallint not null,
  course_id integer not null references courses,
  -- A letter of the bylaw; null: passed is enough.
  min_letter text,
  constraint specialization_course_twice unique (specialization_id, course_id) deferrable
);
create index specialization_courses_course on specialization_courses (course_id);
select audit_rows('specialization_courses', 'specialization_id');

-- A window: students under a bylaw order the programs in these days; afterwards they are distributed.
create table specialization_times (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws,
  start_date date not null,
  end_date date not null,
  min_level smallint check (min_level between 0 and 7),
  min_passed_hours numeric(6, 2) check (min_passed_hours between 0 and 300),
  max_preferences smallint not null default 15 check (max_preferences between 1 and 15),
  tie_rule text not null default 'code' check (tie_rule in ('code', 'older', 'school', 'lot')),
  -- What is reached by steps; planned, open and closed follow from the days.
  status text not null default 'prepared' check (status in ('prepared', 'distributed', 'confirmed')),
  run_id integer,
  confirmed_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specialization_times_order check (start_date <= end_date),
  constraint specialization_times_run check (status = 'prepared' or run_id is not null),
  constraint specialization_times_confirmed check ((status = 'confirmed') = (confirmed_at is not null)),
  constraint specialization_times_overlap exclude using gist (bylaw_id with =, daterange(start_date, end_date, '[]') with &&)
    where (removed_at is null)
);
create index specialization_times_run_id on specialization_times (run_id);
select audit_table('specialization_times');

-- The programs that a window offers, each with its places.
create table specialization_seats (
  id integer generated always as identity primary key,
  specialization_time_id integer not null references specialization_times on delete cascade,
  position smallint not null,
  specialization_id integer not null references specializations,
  capacity integer not null check (capacity between 0 and 100000),
  constraint specialization_seat_twice unique (specialization_time_id, specialization_id) deferrable
);
create index specialization_seats_specialization on specialization_seats (specialization_id);
select audit_rows('specialization_seats', 'specialization_time_id');
create trigger keep_wanted before delete or update of specialization_id on specialization_seats
  for each row execute function keep_wanted_seat();

-- What a student wants, the dearest first: one list, saved as one.
create table specialization_preferences (
  id integer generated always as identity primary key,
  specialization_time_id integer not null references specialization_times on delete cascade,
  student_id integer not null references students on delete cascade,
  choices integer[] not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specialization_preferences_key unique (specialization_time_id, student_id)
);
create index specialization_preferences_student on specialization_preferences (student_id);
select audit_table('specialization_preferences');
create trigger check_preferences before insert or update on specialization_preferences
  for each row execute function check_specialization_preferences();

-- A distribution that was made, with what it was made of: what has changed since is seen by comparing.
create table specialization_runs (
  id integer generated always as identity primary key,
  specialization_time_id integer not null references specialization_times on delete cascade,
  number integer not null,
  made_at timestamptz not null default now(),
  made_by integer references users,
  tie_rule text not null,
  -- [{specialization_id, capacity, conditions, given, cut_off}]
  seats jsonb not null,
  applicants integer not null,
  placed integer not null,
  -- What a distribution came to, and who moved against the one before, is counted once, when it is made: of a hundred
  -- thousand students nobody waits for it who only looks.
  -- How many were given their first wish, their second, and so on.
  by_preference integer[] not null default '{}',
  -- Students who were given something else than in the run before; null: there was none.
  moved integer,
  constraint specialization_runs_number_key unique (specialization_time_id, number)
);
create index specialization_runs_made_by on specialization_runs (made_by);
alter table specialization_times add constraint specialization_times_run_id_fkey
  foreign key (run_id) references specialization_runs;

create table specialization_results (
  run_id integer not null references specialization_runs on delete cascade,
  student_id integer not null references students on delete cascade,
  -- Place in the order of all: GPA, passed hours, the rule for equals.
  rank integer not null,
  program_id integer not null,
  gpa numeric(3, 2),
  passed_hours numeric(6, 2) not null,
  tie text,
  choices integer[] not null,
  -- Conditions of `specialization_courses` that are met.
  met integer[] not null,
  -- What was given, and which wish it was; null: none.
  specialization_id integer,
  preference smallint,
  -- Programs of the window in which the same person has another record, as a distribution found it: nobody is given one of them.
  elsewhere integer[] not null default '{}',
  primary key (run_id, student_id)
);
create index specialization_results_student on specialization_results (student_id);

-- Who was given which program, by a window or by hand; `removed_at`: taken back.
create table student_specializations (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  specialization_id integer not null references specializations,
  -- null: by hand.
  specialization_time_id integer references specialization_times,
  from_program_id integer not null references programs,
  program_id integer not null references programs,
  from_advisor_id integer references instructors,
  advisor_id integer references instructors,
  preference smallint,
  reason text,
  assigned_at timestamptz not null default now(),
  assigned_by integer references users,
  removed_at timestamptz,
  removed_by integer references users,
  removed_reason text,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
create unique index specialized_twice on student_specializations (student_id, from_program_id) where removed_at is null;
create index student_specializations_time on student_specializations (specialization_time_id);
create index student_specializations_specialization on student_specializations (specialization_id);
create index student_specializations_program on student_specializations (program_id);
create index student_specializations_from_program on student_specializations (from_program_id);
create index student_specializations_advisor on student_specializations (advisor_id);
create index student_specializations_from_advisor on student_specializations (from_advisor_id);
create index student_specializations_assigned_by on student_specializations (assigned_by);
create index student_specializations_removed_by on student_specializations (removed_by);
select audit_table('student_specializations');

-- A student's study in an earlier program of this university: what an internal transfer ended. The registrations in terms up
-- to `last_term_id`, after those of the study before, are its own; its finished terms stay as they were, under its bylaw.
create table former_studies (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  faculty_id integer not null references faculties,
  program_id integer not null references programs,
  bylaw_id integer not null references bylaws,
  advisor_id integer references instructors,
  level smallint not null,
  gpa numeric(4, 2),
  passed_hours numeric(6, 2) not null,
  warnings smallint not null,
  last_term_id integer references terms,
  ended_at timestamptz not null default now()
);
create index former_studies_student on former_studies (student_id, id);
select audit_table('former_studies');

-- Requests to move to another program of the university.
create table internal_transfers (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  program_id integer not null references programs,
  term_id integer not null references terms,
  from_program_id integer not null references programs,
  from_faculty_id integer not null references faculties,
  former_study_id integer references former_studies,
  why text not null,
  status text not null default 'added' check (status in ('added', 'agreed', 'executed', 'rejected', 'cancelled', 'deleted')),
  decided_reason text,
  executed_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint internal_transfer_elsewhere check (program_id <> from_program_id),
  constraint internal_transfer_executed check (executed_at is null or status = 'executed')
);
-- One that waits at a time.
create unique index internal_transfer_pending on internal_transfers (student_id) where status in ('added', 'agreed');
create index internal_transfers_program on internal_transfers (program_id, term_id, status);
create index internal_transfers_student on internal_transfers (student_id);
create index internal_transfers_from on internal_transfers (from_faculty_id, status);
select audit_table('internal_transfers');
create trigger one_way before insert or update of status on internal_transfers for each row execute function one_way_of_transfer();

-- Courses brought from elsewhere: another university, or a term abroad. Of a student, or of somebody who applies.
create table external_transfers (
  id integer generated always as identity primary key,
  student_id integer references students on delete cascade,
  applicant_id integer,
  program_id integer not null references programs,
  term_id integer not null references terms,
  kind text not null check (kind in ('external', 'study_abroad')),
  note text,
  status text not null default 'entered' check (status in ('entered', 'executed', 'deleted')),
  executed_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  university_id integer not null references universities_list,
  university_faculty_id integer references university_faculties,
  constraint external_transfer_subject check (num_nonnulls(student_id, applicant_id) = 1),
  constraint external_transfer_executed check (executed_at is null or status = 'executed'),
  -- Deferred: where a university is merged into another, its faculties and what names them follow one after the other.
  constraint faculty_of_another_university foreign key (university_faculty_id, university_id)
    references university_faculties (id, university_id) deferrable initially deferred
);
create index external_transfers_student on external_transfers (student_id);
create index external_transfers_program on external_transfers (program_id, status);
create index external_transfers_university on external_transfers (university_id);
create index external_transfers_university_faculty on external_transfers (university_faculty_id);
select audit_table('external_transfers');
create trigger follow_university after update of university_id on external_transfers for each row
  when (old.university_id <> new.university_id) execute function follow_university();

create table external_transfer_files (
  file_id integer primary key references files,
  external_transfer_id integer not null references external_transfers on delete cascade
);
create index external_transfer_files_transfer on external_transfer_files (external_transfer_id);
select audit_table('external_transfer_files');

-- One course of theirs and what it counts as here. Internal: the registration it was passed with. External: as it was typed.
create table equivalences (
  id integer generated always as identity primary key,
  internal_transfer_id integer references internal_transfers on delete cascade,
  external_transfer_id integer references external_transfers on delete cascade,
  position smallint not null,
  registration_id integer references registrations on delete set null,
  source_course_id integer references courses,
  source_code text not null,
  source_name text not null,
  source_name_local text,
  source_hours numeric(6, 2) not null check (source_hours >= 0),
  source_grade text,
  source_percent numeric(5, 2) check (source_percent between 0 and 100),
  -- Words by which the same course of the same institution is known again.
  source_key text not null,
  course_id integer references courses,
  credit_hours numeric(6, 2) check (credit_hours >= 0),
  letter text,
  points numeric(4, 2) check (points >= 0),
  counts_in_gpa boolean not null default false,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'none')),
  origin text not null default 'hand' check (origin in ('same', 'equal', 'decision', 'hand')),
  -- By a person, not only proposed.
  decided boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What the course was passed with, in points and by which kind of regulation: the grade here is worked out from it, also later.
  source_points numeric(4, 2) check (source_points >= 0),
  source_by_marks boolean not null default false,
  -- Under a regulation by marks: with how many marks the course counts here, out of how many; `letter` is a rating then.
  mark numeric(6, 2) check (mark >= 0),
  maximum smallint check (maximum between 1 and 999),
  -- Several of their courses count as one of ours, and one of theirs as several of ours.
  -- A further course that the course of that row counts as: what is theirs is written again.
  split_of integer references equivalences on delete cascade,
  -- Their course counts together with that row, as its course.
  joined_to integer references equivalences,
  constraint equivalence_of_one check (num_nonnulls(internal_transfer_id, external_transfer_id) = 1),
  constraint equivalence_counts check (not counts_in_gpa or points is not null),
  constraint equivalence_course_twice unique (internal_transfer_id, course_id) deferrable initially deferred,
  constraint equivalence_course_twice_external unique (external_transfer_id, course_id) deferrable initially deferred,
  constraint equivalence_mark check ((mark is null) = (maximum is null) and mark <= maximum and (mark is null or points is null)),
  constraint equivalence_whole check ((state = 'none') = (course_id is null and joined_to is null)
    and (course_id is null) = (credit_hours is null) and (joined_to is null or course_id is null)
    and (split_of is null or (course_id is not null and joined_to is null))),
  constraint equivalence_typed_twice exclude using btree (external_transfer_id with =, source_key with =)
    where (external_transfer_id is not null and split_of is null) deferrable initially deferred
);
create index equivalences_external on equivalences (external_transfer_id, position);
create index equivalences_internal on equivalences (internal_transfer_id, position);
create index equivalences_known on equivalences (source_key);
create index equivalences_registration on equivalences (registration_id);
create unique index equivalence_source_once on equivalences (internal_transfer_id, source_course_id) where split_of is null;
create index equivalences_split on equivalences (split_of);
create index equivalences_joined on equivalences (joined_to);
select audit_table('equivalences');
select basis_goes_with('equivalences', 'equivalence');

-- Courses that count as passed in a student's study though they were not taken in it. They count from the term after
-- `after_term_id` on (null: from the first). Those of a study that was ended are kept with it.
create table course_credits (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  former_study_id integer references former_studies,
  equivalence_id integer not null unique references equivalences,
  course_id integer not null references courses,
  term_id integer not null references terms,
  after_term_id integer references terms,
  credit_hours numeric(6, 2) not null check (credit_hours >= 0),
  letter text,
  points numeric(4, 2),
  counts_in_gpa boolean not null,
  created_at timestamptz not null default now(),
  mark numeric(6, 2) check (mark >= 0),
  maximum smallint check (maximum between 1 and 999),
  -- The same of a course that was credited: as it was called when it was decided.
  -- Whoever inserts does not say them.
  code text not null default '',
  name text not null default '',
  name_local text not null default '',
  constraint course_credit_points check (not counts_in_gpa or points is not null),
  constraint course_credit_mark check ((mark is null) = (maximum is null) and mark <= maximum)
);
create unique index course_credit_once on course_credits (student_id, course_id) where former_study_id is null;
create index course_credits_student on course_credits (student_id);
select audit_table('course_credits');
create trigger a_words before insert or update on course_credits for each row execute function keep_credit_words();
create trigger unsealed_insert after insert on course_credits referencing new table as new_rows for each statement
  execute function unsealed_insert('credit');
create trigger unsealed_update after update on course_credits referencing old table as old_rows new table as new_rows
  for each statement execute function unsealed_update('credit');
create trigger unsealed_delete after delete on course_credits referencing old table as old_rows for each statement
  execute function unsealed_delete('credit');
select basis_goes_with('course_credits', 'credit');
create trigger basis_update after update on course_credits referencing old table as old_rows new table as new_rows
  for each statement execute function credits_changed();
create trigger basis_delete after delete on course_credits referencing old table as old_rows
  for each statement execute function credits_changed();
create trigger basis_insert after insert on course_credits referencing new table as new_rows
  for each statement execute function credits_came();

-- Students who leave for another university.
create table transfers_out (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  term_id integer not null references terms,
  destination text not null,
  why text not null,
  status text not null default 'requested' check (status in ('requested', 'approved', 'rejected', 'deleted')),
  decided_reason text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index transfer_out_pending on transfers_out (student_id) where status = 'requested';
create index transfers_out_student on transfers_out (student_id);
select audit_table('transfers_out');
create trigger one_way before insert or update of status on transfers_out for each row execute function one_way_of_transfer();

-- A meeting on a date: it exists once something is said of it. The others follow from the day of the meeting and the term.
create table meeting_occurrences (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  -- null: the meeting was given up; what was recorded stays.
  offering_slot_id integer references offering_slots on delete set null,
  date date not null,
  cancelled_at timestamptz,
  cancelled_reason text,
  created_at timestamptz not null default now(),
  -- A meeting that was cancelled is held on another day: an occurrence of its own, with the period and the room it then has.
  -- The cancelled occurrence that this one makes up.
  makes_up_id integer references meeting_occurrences on delete cascade,
  slot_id integer references slots,
  location_id integer references locations,
  constraint meeting_occurrence_once unique (offering_slot_id, date),
  constraint meeting_occurrence_cancelled check ((cancelled_at is null) = (cancelled_reason is null)),
  constraint meeting_occurrence_made_up check ((makes_up_id is null) = (slot_id is null) and (location_id is null or slot_id is not null))
);
create index meeting_occurrences_offering on meeting_occurrences (offering_id, date);
create unique index meeting_occurrence_made_up_once on meeting_occurrences (makes_up_id) where cancelled_at is null;
create index meeting_occurrences_makes_up on meeting_occurrences (makes_up_id);
create index meeting_occurrences_days on meeting_occurrences (date) where makes_up_id is not null;
create index meeting_occurrences_slot on meeting_occurrences (slot_id);
create index meeting_occurrences_location on meeting_occurrences (location_id);
select audit_table('meeting_occurrences');
create trigger made_up before insert or update of cancelled_at on meeting_occurrences for each row execute function keep_made_up();

create table attendance (
  occurrence_id integer not null references meeting_occurrences on delete cascade,
  student_id integer not null references students on delete cascade,
  state text not null check (state in ('present', 'absent', 'excused', 'late')),
  by_scan boolean not null default false,
  recorded_by integer references users,
  recorded_at timestamptz not null default now(),
  -- Hash of the browser that scanned: one counts for one student.
  device bytea,
  primary key (occurrence_id, student_id)
);
create index attendance_student on attendance (student_id);
create unique index attendance_device on attendance (occurrence_id, device) where device is not null;
select audit_table('attendance', array['device', 'recorded_at', 'recorded_by']);
create trigger held before insert or update of state on attendance for each row execute function attendance_of_held_meeting();

-- Codes that are being shown: what the codes of an occurrence are made of, beside the key of the university.
create table attendance_codes (
  occurrence_id integer primary key references meeting_occurrences on delete cascade,
  nonce bytea not null,
  opened_at timestamptz not null default now(),
  opened_by integer references users,
  closes_at timestamptz not null,
  -- Who scans later is late; null: nobody.
  late_from timestamptz
);
create index attendance_codes_closing on attendance_codes (closes_at);

-- What absences came to for a registration: a warning, a ban that is proposed, and what was decided.
create table absence_cases (
  id integer generated always as identity primary key,
  registration_id integer not null constraint absence_cases_registration_key unique references registrations on delete cascade,
  status text not null check (status in ('warned', 'proposed', 'banned', 'waived', 'closed')),
  -- As they were when the limit was passed.
  absences numeric(6, 2) not null,
  planned integer not null,
  share numeric(5, 2) not null,
  warned_at timestamptz not null default now(),
  proposed_at timestamptz,
  decided_reason text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index absence_cases_waiting on absence_cases (status) where status in ('warned', 'proposed');
select audit_table('absence_cases');

-- Excuses: what students ask to be excused from, and what was decided.
create table excuses (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  -- absence: meetings on some days; exam: of a course on a day; course and term: the course itself, or all of a term.
  kind text not null check (kind in ('absence', 'exam', 'course', 'term')),
  term_id integer not null references terms,
  -- null: every course of the student in the term
  offering_id integer references offerings on delete cascade,
  from_date date,
  to_date date,
  why text not null,
  file_id integer references files,
  -- Asked outside the window, by staff, for this reason.
  outside_reason text,
  status text not null default 'requested' check (status in ('requested', 'accepted', 'rejected', 'cancelled')),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint excuse_course check ((kind in ('exam', 'course')) <= (offering_id is not null) and (kind = 'term') <= (offering_id is null)),
  constraint excuse_days check (case when kind in ('absence', 'exam') then from_date <= to_date and to_date - from_date <= 120
    else from_date is null and to_date is null end)
);
-- Nobody asks twice for the same.
create unique index excuse_asked_twice on excuses (student_id, term_id, kind, coalesce(offering_id, 0), coalesce(from_date, '-infinity'))
  where status in ('requested', 'accepted') and removed_at is null;
create index excuses_student on excuses (student_id, term_id);
create index excuses_offering on excuses (offering_id);
create index excuses_term on excuses (term_id);
create index excuses_file on excuses (file_id);
create index excuses_waiting on excuses (created_at) where status = 'requested';
select audit_table('excuses');

-- Windows for single students: a registrar opens one for a list of them, with a reason and an end.

create table window_exceptions (
  id integer generated always as identity primary key,
  faculty_id integer not null references faculties,
  term_id integer not null references terms,
  stage_code_id integer not null references stage_codes,
  starts_at timestamptz not null default now(),
  ends_at timestamptz not null,
  reason text not null check (length(btrim(reason)) > 0),
  search_text text generated always as (fold_text(reason)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint window_exceptions_order check (starts_at < ends_at),
  -- Nobody stands outside of the rules for good.
  constraint window_exceptions_length check (ends_at <= starts_at + interval '60 days')
);
create index window_exceptions_term on window_exceptions (term_id, ends_at) where removed_at is null;
create index window_exceptions_faculty on window_exceptions (faculty_id);
create index window_exceptions_code on window_exceptions (stage_code_id);
select audit_table('window_exceptions');

create table window_exception_students (
  window_exception_id integer not null references window_exceptions on delete cascade,
  student_id integer not null references students,
  primary key (window_exception_id, student_id)
);
create index window_exception_students_student on window_exception_students (student_id);
select audit_table('window_exception_students');

-- Who was told, before the windows of a term opened, what would stand against registering: nobody hears it twice.
create table preflight_notices (
  student_id integer not null references students on delete cascade,
  term_id integer not null references terms on delete cascade,
  told_at timestamptz not null default now(),
  primary key (student_id, term_id)
);
create index preflight_notices_term on preflight_notices (term_id);
select audit_table('preflight_notices');

-- A registered course is given up for another only once that other is accepted. Until then the request holds its own seat
-- and the course stays what it is; rejected or taken back, the request goes and nothing else has changed.

-- A request, and the registration that is given up in the moment in which it is accepted.
create table registration_exchanges (
  registration_id integer primary key references registrations on delete cascade,
  gives_up_id integer not null references registrations on delete cascade,
  constraint registration_exchanges_two check (registration_id <> gives_up_id),
  -- One course is given up for one other at a time.
  constraint swap_under_way unique (gives_up_id)
);
select audit_rows('registration_exchanges', 'registration_id');

-- What happens here when rows of other wings change -----------------------------------------------------------------

create trigger first_turn after insert on students
  referencing new table as added for each statement execute function first_turn();
create trigger reference_changed after insert or update or delete on slots
  for each statement execute function reference_changed();
create trigger reference_changed after insert or update or delete on course_equals
  for each statement execute function reference_changed();
create trigger places_end_returned after update of status on registrations
  for each row when (old.status & 549755815936 <> 0 and new.status & 549755815936 = 0)
  execute function end_places_of_returned();
create trigger look_insert after insert on registrations referencing new table as new_rows
  for each statement execute function look_at_new_registrations();
create trigger share_turns_of_added after insert on students
  referencing new table as added for each statement execute function share_turns_of_added();
create trigger share_turns_of_deleted after delete on students
  for each row when (old.user_id is not null) execute function share_turns_of_deleted();
create trigger exchange_of_request after update of status on registrations
  for each row when (old.status & 3145728 <> 0 and new.status & 3145728 = 0) execute function end_exchange_of_request();
create trigger exchange_of_given after update of status on registrations
  for each row when (old.status & 29622272 <> 0 and new.status & 29622272 = 0) execute function end_exchange_of_given();
create trigger credit_counts_again after update on decision_facts referencing old table as old_rows new table as new_rows
  for each statement execute function credit_counts_again();
create trigger keep_bylaw before update of bylaw_id on programs for each row
  when (old.bylaw_id <> new.bylaw_id) execute function keep_bylaw_of_program();
create trigger share_turns_of_changed after update on students
  referencing old table as records_before new table as records_now for each statement execute function share_turns_of_changed();

-- Views ---------------------------------------------------------------------------------------------------------------

-- Where a window stands: by its days until it is distributed.
create view specialization_windows as
select t.*, case when t.status <> 'prepared' then t.status
  when (now() at time zone university_zone())::date < t.start_date then 'planned'
  when (now() at time zone university_zone())::date <= t.end_date then 'open' else 'closed' end as state
from specialization_times t;

-- Every window that can open to a student: those of the term, and those made for single students.
create view stage_windows as
  select id, term_id, stage_code_id, stage_group_id, starts_at, ends_at, removed_at, null::integer as exception_id
  from term_stages
  union all
  select id, term_id, stage_code_id, null, starts_at, ends_at, removed_at, id from window_exceptions;

-- What the program and other functions call.
install function attempt_by_results, credit_sound, credit_value, fact_credit, held_beside, hold_credit,
  meetings_made_up, outweighed, prerequisites_regained, requisite_grade, requisite_met, running_requisite,
  running_requisites, share_turns, study_in, elsewhere_key;
