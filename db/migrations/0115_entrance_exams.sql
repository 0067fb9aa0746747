-- Appointments of applicants for entrance exams and interviews, who comes to which, tags of applicants, and applications that were merged.

create table entrance_appointments (
  id integer generated always as identity primary key,
  code text not null,
  search_text text generated always as (fold_text(code || ' ' || coalesce(place, ''))) stored,
  admission_id integer not null references admissions,
  kind text not null check (kind in ('exam', 'interview')),
  begins_at timestamptz not null,
  minutes smallint not null check (minutes between 5 and 600),
  ends_at timestamptz not null,
  location_id integer references locations,
  place text check (length(place) between 1 and 200),
  faculty_id integer references faculties,
  program_id integer references programs,
  capacity integer not null check (capacity between 1 and 5000),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint entrance_appointments_code_key unique (code),
  constraint entrance_appointment_kind unique (id, kind),
  constraint entrance_no_place check (location_id is not null or place is not null),
  constraint entrance_ends check (extract(epoch from (ends_at - begins_at)) = minutes * 60)
);
select one_code_in_any_case('entrance_appointments');
create index entrance_appointments_admission on entrance_appointments (admission_id, kind, begins_at);
create index entrance_appointments_location on entrance_appointments (location_id, begins_at) where location_id is not null;
create index entrance_appointments_faculty on entrance_appointments (faculty_id);
create index entrance_appointments_program on entrance_appointments (program_id);
select audit_table('entrance_appointments', array['ends_at']);

-- Who comes to which appointment: one of a kind for each attempt. One that ended keeps who was to come.
create table entrance_bookings (
  id integer generated always as identity primary key,
  appointment_id integer not null references entrance_appointments,
  kind text not null,
  applicant_id integer not null references applicants,
  attempt smallint not null check (attempt between 1 and 20),
  -- Whoever did it at the desk; null: the applicant, or all who had none were placed.
  booked_by integer references users,
  attendance text check (attendance in ('came', 'absent')),
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint entrance_booking_kind foreign key (appointment_id, kind) references entrance_appointments (id, kind)
);
create unique index entrance_booked_once on entrance_bookings (applicant_id, kind, attempt) where ended_at is null;
create index entrance_bookings_appointment on entrance_bookings (appointment_id, kind) where ended_at is null;
create index entrance_bookings_of on entrance_bookings (appointment_id, kind);
create index entrance_bookings_booked_by on entrance_bookings (booked_by);
select audit_table('entrance_bookings');

-- Places of an appointment that are taken: never more than there are. Its row is what bookings wait for, so that the appointment
-- itself stays as whoever edits it has seen it. One that is removed has no places.
create table entrance_places (
  appointment_id integer primary key references entrance_appointments on delete cascade,
  capacity integer not null,
  booked integer not null default 0 check (booked >= 0),
  constraint entrance_full check (booked <= capacity)
);
install function keep_entrance_places, count_entrance_bookings;
create trigger keep_places after insert or update of capacity, removed_at on entrance_appointments
  for each row execute function keep_entrance_places();
create trigger count_insert after insert on entrance_bookings referencing new table as new_rows
  for each statement execute function count_entrance_bookings();
create trigger count_update after update on entrance_bookings referencing old table as old_rows new table as new_rows
  for each statement execute function count_entrance_bookings();
create trigger count_delete after delete on entrance_bookings referencing old table as old_rows
  for each statement execute function count_entrance_bookings();

create table applicant_tags (
  applicant_id integer not null references applicants on delete cascade,
  tag_id integer not null references tags,
  created_at timestamptz not null default now(),
  primary key (applicant_id, tag_id)
);
create index applicant_tags_tag on applicant_tags (tag_id, applicant_id);
select audit_table('applicant_tags');

-- An application of the same person that was cancelled for another one.
alter table applicants add column merged_into_id integer references applicants,
  add constraint applicant_merged check (merged_into_id is null or (merged_into_id <> id and status = 'CANCELLED'));
create index applicants_merged_into on applicants (merged_into_id) where merged_into_id is not null;

-- Applications that were said to be of two people: they are not told as the same again.
create table applicants_apart (
  one_id integer not null references applicants,
  other_id integer not null references applicants,
  reason text not null check (length(reason) between 3 and 500),
  created_by integer references users,
  created_at timestamptz not null default now(),
  primary key (one_id, other_id),
  constraint applicants_apart_order check (one_id < other_id)
);
create index applicants_apart_other on applicants_apart (other_id);
create index applicants_apart_created_by on applicants_apart (created_by);
select audit_table('applicants_apart');
