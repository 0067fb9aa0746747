-- Registrations, seats, marks and results.

create table registrations (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  offering_id integer not null,
  term_id integer not null,
  course_id integer not null references courses,
  -- 64-bit set of flags: exactly one main flag, and qualifiers.
  status bigint not null check (status > 0),
  -- Credit hours at the time of registration.
  credit_hours smallint not null check (credit_hours between 0 and 300),
  -- Result: rounded total of 100, grade of the bylaw.
  total numeric(5, 2) check (total between 0 and 100),
  letter text,
  points numeric(3, 2) check (points between 0 and 4),
  passed boolean,
  counts_in_gpa boolean,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint registrations_offering foreign key (offering_id, term_id) references offerings (id, term_id),
  constraint registrations_student_offering_key unique (student_id, offering_id),
  -- One attempt of a course in a term.
  constraint registrations_student_course_key unique (student_id, term_id, course_id)
);
create index registrations_offering_id on registrations (offering_id);
create index registrations_term on registrations (term_id, student_id);
create index registrations_course on registrations (course_id);
-- Requests that wait for somebody: RegisterRequest, AddRequest, DropRequest, WithdrawRequest, ExcuseRequest.
create index registrations_waiting on registrations (term_id, student_id) where (status & 32505856) <> 0;

-- A seat held by a registration: the row exists exactly as long as the seat is held.
create table registration_slots (
  registration_id integer not null references registrations on delete cascade,
  offering_slot_id integer not null references offering_slots,
  -- Taken with the right to places above the quota.
  over boolean not null default false,
  primary key (registration_id, offering_slot_id)
);
create index registration_slots_slot on registration_slots (offering_slot_id);

-- Seats are counted by the database itself, whoever writes: no slot above its quota (quota + over_quota for those who
-- may), and taken always equals the seats held. Slots are locked in order of id, so that two people never wait for each other.
create function take_seats() returns trigger language plpgsql as $$
declare
  full_slot integer;
begin
  perform 1 from offering_slots where id in (select offering_slot_id from added) order by id for no key update;
  update offering_slots s set taken = s.taken + n.seats
    from (select offering_slot_id, count(*)::int as seats from added group by 1) n
    where s.id = n.offering_slot_id;
  select s.id into full_slot from offering_slots s
    where s.id in (select offering_slot_id from added where not over) and s.taken > s.quota limit 1;
  if full_slot is not null then
    raise exception 'no free seat' using errcode = 'check_violation', constraint = 'registration_slots_seat_free',
      table = 'registration_slots', detail = full_slot::text;
  end if;
  return null;
end $$;
create function give_back_seats() returns trigger language plpgsql as $$
begin
  perform 1 from offering_slots where id in (select offering_slot_id from gone) order by id for no key update;
  update offering_slots s set taken = s.taken - n.seats
    from (select offering_slot_id, count(*)::int as seats from gone group by 1) n
    where s.id = n.offering_slot_id;
  return null;
end $$;
create trigger registration_slots_take after insert on registration_slots
  referencing new table as added for each statement execute function take_seats();
create trigger registration_slots_give_back after delete on registration_slots
  referencing old table as gone for each statement execute function give_back_seats();

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
  overrides jsonb
);
create index registration_history_student on registration_history (student_id, at);
create index registration_history_offering on registration_history (offering_id, at);
create index registration_history_registration on registration_history (registration_id);
create function keep_history() returns trigger language plpgsql as $$
begin
  raise exception 'registration history is never changed';
end $$;
create trigger registration_history_kept before update or delete on registration_history
  for each row execute function keep_history();

-- Queue for a full offering: first come, first moved when a seat is freed and the rules still hold.
create table wait_list (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  student_id integer not null references students on delete cascade,
  offering_slot_ids integer[] not null,
  created_at timestamptz not null default now(),
  -- waiting → moved (a request was made) | left
  state text not null default 'waiting' check (state in ('waiting', 'moved', 'left')),
  moved_at timestamptz
);
create unique index wait_list_waiting on wait_list (offering_id, student_id) where state = 'waiting';
create index wait_list_order on wait_list (offering_id, id) where state = 'waiting';
create index wait_list_student on wait_list (student_id);

create table registration_marks (
  registration_id integer not null references registrations on delete cascade,
  offering_mark_id integer not null references offering_marks,
  -- null with absent
  mark numeric(5, 2) check (mark between 0 and 100),
  absent boolean not null default false,
  entered_by integer references users,
  entered_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (registration_id, offering_mark_id),
  check (absent = (mark is null))
);
create index registration_marks_category on registration_marks (offering_mark_id);

-- Results of a student in a finished term. Recomputable from the registrations.
create table student_terms (
  student_id integer not null references students on delete cascade,
  term_id integer not null references terms,
  registered_hours smallint not null,
  attempted_hours smallint not null,
  passed_hours smallint not null,
  -- Points × credit hours of the term.
  term_points numeric(8, 2) not null,
  gpa numeric(3, 2) check (gpa between 0 and 4),
  cumulative_hours smallint not null,
  cumulative_passed_hours smallint not null,
  cumulative_points numeric(8, 2) not null,
  cumulative_gpa numeric(3, 2) check (cumulative_gpa between 0 and 4),
  level smallint not null check (level between 0 and 7),
  warned boolean not null default false,
  warnings smallint not null default 0,
  standing text not null check (standing in ('good', 'warned', 'dismissed')),
  -- Reasons why the student may not graduate yet: [{code, data}]; null: may graduate.
  graduation jsonb,
  finished_at timestamptz not null default now(),
  finished_by integer references users,
  primary key (student_id, term_id)
);
create index student_terms_term on student_terms (term_id);

select audit_table('registrations', array['updated_at', 'version']);
select audit_table('registration_marks', array['entered_at', 'version']);
select audit_table('wait_list');
select audit_table('student_terms');
