-- Exams of a term: their days, slots and halls, which offering is examined when and where, and who invigilates.

-- Named periods in which exams are held, each with its time in Ramadan.
select create_lookup('exam_slots');
alter table exam_slots
  add column start_time time not null,
  add column end_time time not null,
  add column ramadan_start_time time not null,
  add column ramadan_end_time time not null,
  add constraint exam_slots_regular_order check (start_time < end_time),
  add constraint exam_slots_ramadan_order check (ramadan_start_time < ramadan_end_time);

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
select audit_table('exams');

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

-- What is not to be had: a slot of a day (a whole day without slot), or then only a hall or an instructor.
create table exam_closures (
  id integer generated always as identity primary key,
  exam_id integer not null references exams on delete cascade,
  on_date date not null,
  exam_slot_id integer references exam_slots,
  location_id integer references locations,
  instructor_id integer references instructors,
  constraint exam_closures_one check (num_nonnulls(location_id, instructor_id) <= 1)
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
select audit_table('exam_schedules', array['during']);

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

-- Whether a student with a registration in this state sits the exam: all but who left, is excused or banned.
create function sits_exam(status bigint) returns boolean language sql immutable parallel safe
return status & 7146307584 <> 0;

-- When a slot is held on a day: at its Ramadan time where that applies, on the days of Ramadan as the calendar has them
-- (on all days where it has none).
create function exam_time(day date, slot integer, minutes integer) returns tsrange language sql stable as $$
  select tsrange(day + b.first, least(day + b.last, day + b.first + make_interval(mins => minutes)))
  from exam_slots s
    cross join lateral (select exists (select from ramadan_status r where r.kind = 'exam_slots' and r.is_ramadan)
      and (exists (select from calendar_events e where e.layer = 'ramadan' and e.removed_at is null and day between e.start_date and e.end_date)
        or not exists (select from calendar_events e where e.layer = 'ramadan' and e.removed_at is null)) as ramadan) as x
    cross join lateral (select case when x.ramadan then s.ramadan_start_time else s.start_time end as first,
      case when x.ramadan then s.ramadan_end_time else s.end_time end as last) as b
  where s.id = slot
$$;

-- Keeps the time of a schedule. What is locked is not moved, and of a published exam nothing is.
create function keep_exam_time() returns trigger language plpgsql as $$
declare
  state text;
begin
  if new.removed_at is not null then new.on_date := null; new.exam_slot_id := null; end if;
  new.during := case when new.on_date is not null then exam_time(new.on_date, new.exam_slot_id, new.duration) end;
  if tg_op = 'UPDATE' and (new.on_date, new.exam_slot_id, new.removed_at, new.offering_id, new.exam_id)
      is not distinct from (old.on_date, old.exam_slot_id, old.removed_at, old.offering_id, old.exam_id) then
    return new;
  end if;
  if tg_op = 'UPDATE' and (new.offering_id, new.exam_id) is distinct from (old.offering_id, old.exam_id) then
    raise exception using errcode = '23514', constraint = 'exam_schedule_fixed', message = 'a schedule keeps its offering and exam';
  end if;
  -- Who publishes at this moment is waited for.
  select e.status into state from exams e where e.id = new.exam_id for share;
  if state = 'published' then
    raise exception using errcode = '23514', constraint = 'exam_published', message = 'the exam is published';
  end if;
  if tg_op = 'UPDATE' and old.is_locked and new.is_locked then
    raise exception using errcode = '23514', constraint = 'exam_schedule_locked', message = 'the schedule is locked';
  end if;
  return new;
end $$;
create trigger keep_time before insert or update on exam_schedules for each row execute function keep_exam_time();

-- Plans of a term are changed one after the other, so that two who look at the same students see each other.
create function hold_exam_plan(terms integer[]) returns void language sql as $$
  select pg_advisory_xact_lock(380, t) from (select distinct unnest(terms) as t order by 1) as x
$$;

-- No student has two exams at once. A student who is registered into a clash afterwards is told of: what is moved then must not
-- make another.
create function guard_exam_students() returns trigger language plpgsql as $$
declare
  clash record;
begin
  perform hold_exam_plan(array(select e.term_id from new_rows n join exams e on e.id = n.exam_id where n.during is not null));
  select n.id, o.id as other into clash
    from new_rows n join registrations r on r.offering_id = n.offering_id and sits_exam(r.status)
      join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
      join exam_schedules o on o.offering_id = q.offering_id and o.removed_at is null and o.during && n.during and o.id <> n.id
    where n.during is not null limit 1;
  if found then
    raise exception using errcode = '23P01', constraint = 'exam_student_clash',
      message = format('schedules %s and %s share students at the same time', clash.id, clash.other);
  end if;
  return null;
end $$;
create trigger guard_students after insert on exam_schedules referencing new table as new_rows
  for each statement execute function guard_exam_students();

create function guard_moved_exam_students() returns trigger language plpgsql as $$
declare
  clash record;
begin
  if not exists (select from new_rows n join old_rows o on o.id = n.id where n.during is distinct from o.during) then return null; end if;
  perform hold_exam_plan(array(select e.term_id from new_rows n join exams e on e.id = n.exam_id));
  -- Halls and people go along; who is off the board has none.
  delete from exam_schedule_locations l using new_rows n where l.exam_schedule_id = n.id and n.during is null;
  -- The exclusion of people is judged when all have moved.
  update exam_schedule_locations l set during = n.during from new_rows n
    where l.exam_schedule_id = n.id and n.during is not null and l.during <> n.during;
  update exam_schedule_instructors l set during = n.during from new_rows n
    where l.exam_schedule_id = n.id and n.during is not null and l.during <> n.during;
  select n.id, o.id as other into clash
    from new_rows n join old_rows b on b.id = n.id and b.during is distinct from n.during
      join registrations r on r.offering_id = n.offering_id and sits_exam(r.status)
      join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
      join exam_schedules o on o.offering_id = q.offering_id and o.removed_at is null and o.during && n.during and o.id <> n.id
    where n.during is not null limit 1;
  if found then
    raise exception using errcode = '23P01', constraint = 'exam_student_clash',
      message = format('schedules %s and %s share students at the same time', clash.id, clash.other);
  end if;
  return null;
end $$;
create trigger guard_moved_students after update on exam_schedules referencing old table as old_rows new table as new_rows
  for each statement execute function guard_moved_exam_students();

-- The time of halls and people is that of their schedule.
create function keep_exam_part_time() returns trigger language plpgsql as $$
declare
  of_exam integer;
begin
  select s.during, s.exam_id into new.during, of_exam from exam_schedules s where s.id = new.exam_schedule_id for share;
  if tg_table_name = 'exam_schedule_locations' then new.exam_id := of_exam; end if;
  if new.during is null then
    raise exception using errcode = '23514', constraint = 'exam_not_placed', message = 'halls and people come with a day and slot';
  end if;
  return new;
end $$;
create trigger keep_time before insert on exam_schedule_locations for each row execute function keep_exam_part_time();
create trigger keep_time before insert on exam_schedule_instructors for each row execute function keep_exam_part_time();

-- A hall never holds more than it has places, whatever exams share it at a time; nor one exam more than it may use there.
create function guard_exam_halls() returns trigger language plpgsql as $$
declare
  over record;
begin
  -- Who fills the same hall at this moment is waited for.
  perform from locations where id in (select location_id from new_rows) order by id for no key update;
  select l.location_id into over
    from (select distinct location_id, during from new_rows) n
      join exam_schedule_locations l on l.location_id = n.location_id and l.during && n.during
      join locations p on p.id = l.location_id and p.location_type <> 'online'
      join exam_halls h on h.exam_id = l.exam_id and h.location_id = l.location_id
      join exam_schedule_locations b on b.location_id = l.location_id and b.during @> lower(l.during)
    group by l.id, l.location_id, l.exam_id, p.capacity, h.seats, n.during
    having sum(b.seats) > p.capacity or sum(b.seats) filter (where b.exam_id = l.exam_id) > h.seats
    limit 1;
  if found then
    raise exception using errcode = '23514', constraint = 'exam_hall_full', message = format('hall %s is full', over.location_id);
  end if;
  return null;
end $$;
create trigger guard_added after insert on exam_schedule_locations referencing new table as new_rows
  for each statement execute function guard_exam_halls();
create trigger guard_changed after update on exam_schedule_locations referencing new table as new_rows
  for each statement execute function guard_exam_halls();

-- An exam uses no more seats of a hall than the hall has, and no fewer than are planned.
create function guard_exam_hall() returns trigger language plpgsql as $$
declare
  most integer;
begin
  select case when location_type = 'online' then 10000 else capacity end into most from locations where id = new.location_id for no key update;
  if new.seats > most then
    raise exception using errcode = '23514', constraint = 'exam_hall_small', message = 'more seats than the hall has';
  end if;
  if tg_op = 'UPDATE' and new.seats < old.seats and exists (
      select from exam_schedule_locations l join exam_schedule_locations b
        on b.exam_id = l.exam_id and b.location_id = l.location_id and b.during @> lower(l.during)
      where l.exam_id = new.exam_id and l.location_id = new.location_id group by l.id having sum(b.seats) > new.seats) then
    raise exception using errcode = '23514', constraint = 'exam_hall_planned', message = 'more is planned there';
  end if;
  return new;
end $$;
create trigger guard_hall before insert or update on exam_halls for each row execute function guard_exam_hall();

create function guard_exam_location() returns trigger language plpgsql as $$
begin
  if exists (select from exam_halls h join exams e on e.id = h.exam_id and e.removed_at is null
      join terms t on t.id = e.term_id and t.end_date >= (now() at time zone university_zone())::date
      where h.location_id = new.id and h.seats > new.capacity) then
    raise exception using errcode = '23514', constraint = 'location_capacity_exams', message = 'an exam uses more seats of it';
  end if;
  return new;
end $$;
create trigger guard_exams before update of capacity on locations for each row
  when (new.capacity < old.capacity and new.location_type <> 'online') execute function guard_exam_location();

-- An exam that is published, or of which something is placed, is not removed.
create function guard_removed_exam() returns trigger language plpgsql as $$
begin
  if new.status = 'published' or exists (select from exam_schedules s where s.exam_id = new.id and s.during is not null) then
    raise exception using errcode = '23514', constraint = 'exam_has_schedule', message = 'the exam has a schedule';
  end if;
  return new;
end $$;
create trigger guard_removed before update of removed_at on exams for each row
  when (old.removed_at is null and new.removed_at is not null) execute function guard_removed_exam();

-- When times of slots, the season or the days of Ramadan change, so do the exams.
create function follow_exam_times() returns trigger language plpgsql as $$
begin
  update exam_schedules s set during = null
    where s.during is not null and s.during is distinct from exam_time(s.on_date, s.exam_slot_id, s.duration)
      and lower(s.during) > now() at time zone university_zone();
  return null;
end $$;
create trigger follow_exams after update of start_time, end_time, ramadan_start_time, ramadan_end_time on exam_slots
  for each statement execute function follow_exam_times();
create trigger follow_exams after update on ramadan_status for each statement execute function follow_exam_times();
create trigger follow_exams after insert or update or delete on calendar_events for each statement execute function follow_exam_times();

-- Students who have two exams at once: registered after both were placed.
create view exam_clashes as
  select a.id as exam_schedule_id, b.id as other_schedule_id, r.student_id, a.exam_id
  from exam_schedules a
    join exam_schedules b on b.during && a.during and b.id <> a.id and b.removed_at is null
    join registrations r on r.offering_id = a.offering_id and sits_exam(r.status)
    join registrations q on q.student_id = r.student_id and q.offering_id = b.offering_id and sits_exam(q.status)
  where a.removed_at is null and a.offering_id <> b.offering_id;

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
  taken_at timestamptz
);
create index exam_placements_exam on exam_placements (exam_id, id desc);
create unique index exam_placement_runs on exam_placements (exam_id) where state = 'running';
create index exam_placements_by on exam_placements (created_by);
create index exam_placements_taken_by on exam_placements (taken_by);
