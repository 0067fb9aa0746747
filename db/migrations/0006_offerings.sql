-- Offerings: a course taught in a term, with its team, groups, meetings and mark scheme.

create table mark_categories (
  id integer generated always as identity primary key,
  -- null: for every bylaw
  bylaw_id integer references bylaws,
  code text not null,
  name text not null,
  name_local text not null,
  is_final_exam boolean not null default false,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mark_categories_code_key unique (code)
);
create index mark_categories_bylaw on mark_categories (bylaw_id);

-- Marks: named mark schemes from which offerings take theirs.
create table marks (
  id integer generated always as identity primary key,
  bylaw_id integer references bylaws,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint marks_code_key unique (code)
);
create index marks_bylaw on marks (bylaw_id);
create table mark_items (
  mark_id integer not null references marks on delete cascade,
  mark_category_id integer not null references mark_categories,
  max numeric(5, 2) not null check (max > 0 and max <= 100),
  position smallint not null default 0,
  primary key (mark_id, mark_category_id)
);
create index mark_items_category on mark_items (mark_category_id);

create table offerings (
  id integer generated always as identity primary key,
  term_id integer not null references terms,
  course_id integer not null references courses,
  faculty_id integer references faculties,
  department_id integer references departments,
  -- Tells offerings of one course in one term apart.
  code text not null,
  -- Cross-listed: its students sit in the groups and take the seats of this offering.
  linked_offering_id integer references offerings,
  level smallint check (level between 0 and 7),
  is_open boolean not null default true,
  min_students integer not null default 0 check (min_students >= 0),
  max_students integer check (max_students >= 0),
  control_status text not null default 'Draft' check (control_status in ('Draft', 'Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen')),
  mark_id integer references marks,
  notes text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint offerings_code_key unique (term_id, course_id, code),
  constraint offerings_id_term_key unique (id, term_id),
  constraint offerings_not_linked_to_itself check (linked_offering_id <> id)
);
create index offerings_course on offerings (course_id);
create index offerings_faculty on offerings (faculty_id);
create index offerings_department on offerings (department_id);
create index offerings_linked on offerings (linked_offering_id);
create index offerings_mark on offerings (mark_id);

create table offering_instructors (
  offering_id integer not null references offerings on delete cascade,
  instructor_id integer not null references instructors,
  role text not null default 'instructor' check (role in ('leader', 'instructor', 'assistant')),
  primary key (offering_id, instructor_id)
);
create index offering_instructors_instructor on offering_instructors (instructor_id);

-- Programs (and a level of them) for which it is open; none: for every program whose plan has the course.
create table offering_programs (
  offering_id integer not null references offerings on delete cascade,
  program_id integer not null references programs,
  level smallint check (level between 0 and 7),
  primary key (offering_id, program_id)
);
create index offering_programs_program on offering_programs (program_id);

create table offering_groups (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  number smallint not null check (number between 1 and 500),
  name text,
  constraint offering_groups_number_key unique (offering_id, number),
  constraint offering_groups_offering_id_key unique (offering_id, id)
);

-- One weekly meeting of one group. Seats are counted here.
create table offering_slots (
  id integer generated always as identity primary key,
  offering_id integer not null,
  term_id integer not null,
  group_id integer not null,
  type text not null check (type in ('Lecture', 'Lab', 'Tutorial', 'Clinic')),
  -- 0 Saturday … 6 Friday; null with slot: not yet placed
  day smallint check (day between 0 and 6),
  slot_id integer references slots,
  location_id integer references locations,
  quota integer not null check (quota >= 0),
  over_quota integer not null default 0 check (over_quota >= 0),
  taken integer not null default 0,
  version integer not null default 1,
  constraint offering_slots_offering foreign key (offering_id, term_id) references offerings (id, term_id) on delete cascade,
  constraint offering_slots_group foreign key (offering_id, group_id) references offering_groups (offering_id, id) on delete cascade,
  constraint offering_slots_placed check ((day is null) = (slot_id is null)),
  -- Whatever the number of processes: never more than the seats there are.
  constraint offering_slots_seats check (taken between 0 and quota + over_quota),
  -- A room holds one meeting at a time.
  constraint offering_slots_room unique (term_id, location_id, day, slot_id)
);
create index offering_slots_offering_id on offering_slots (offering_id, term_id);
create index offering_slots_group_id on offering_slots (group_id);
create index offering_slots_location on offering_slots (location_id);
create index offering_slots_slot on offering_slots (slot_id);

create table offering_slot_instructors (
  offering_slot_id integer not null references offering_slots on delete cascade,
  instructor_id integer not null references instructors,
  primary key (offering_slot_id, instructor_id)
);
create index offering_slot_instructors_instructor on offering_slot_instructors (instructor_id);

-- Mark scheme of an offering.
create table offering_marks (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  mark_category_id integer not null references mark_categories,
  max numeric(5, 2) not null check (max > 0 and max <= 100),
  position smallint not null default 0,
  constraint offering_marks_category_key unique (offering_id, mark_category_id)
);
create index offering_marks_category on offering_marks (mark_category_id);

-- Every step of the control status, forward and back.
create table control_history (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  at timestamptz not null default now(),
  actor_id integer references users,
  action text not null,
  from_status text not null,
  to_status text not null,
  reason text
);
create index control_history_offering on control_history (offering_id, at);

select audit_table(t) from unnest(array[
  'mark_categories', 'marks', 'mark_items', 'offerings', 'offering_instructors', 'offering_programs', 'offering_groups',
  'offering_slot_instructors', 'offering_marks']) as t;
-- offering_slots: `taken` is derived and changes with every registration, which keeps its own history.
select audit_table('offering_slots', array['taken']);
