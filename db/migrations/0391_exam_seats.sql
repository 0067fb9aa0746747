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

-- The time of a seat is that of its hall; nobody sits beyond the places of the hall, nor in the exam of another offering.
create function keep_exam_seats() returns trigger language plpgsql as $$
begin
  update exam_seats s set during = l.during from new_rows n join exam_schedule_locations l
      on l.exam_schedule_id = n.exam_schedule_id and l.location_id = n.location_id
    where s.id = n.id and s.during is distinct from l.during;
  if exists (select from new_rows n join locations p on p.id = n.location_id where n.seat > p.capacity and p.location_type <> 'online') then
    raise exception using errcode = '23514', constraint = 'exam_seat_outside', message = 'the hall has no such seat';
  end if;
  if exists (select from new_rows n join exam_schedules x on x.id = n.exam_schedule_id join registrations r on r.id = n.registration_id
      where r.offering_id <> x.offering_id) then
    raise exception using errcode = '23514', constraint = 'exam_seat_other', message = 'the student sits another exam';
  end if;
  if exists (select from (select distinct exam_schedule_id, location_id from new_rows) n
      join exam_schedule_locations l on l.exam_schedule_id = n.exam_schedule_id and l.location_id = n.location_id
      where (select count(*) from exam_seats s where s.exam_schedule_id = l.exam_schedule_id and s.location_id = l.location_id) > l.seats) then
    raise exception using errcode = '23514', constraint = 'exam_seats_full', message = 'more students than the exam has seats in the hall';
  end if;
  return null;
end $$;
create trigger keep_seats after insert on exam_seats referencing new table as new_rows
  for each statement execute function keep_exam_seats();

-- An exam that moves to another day or slot leaves its seats; one whose slot is held at another time takes them along.
create function leave_exam_seats() returns trigger language plpgsql as $$
begin
  delete from exam_seats where exam_schedule_id = new.id;
  return null;
end $$;
create trigger leave_seats after update of on_date, exam_slot_id on exam_schedules for each row
  when ((old.on_date, old.exam_slot_id) is distinct from (new.on_date, new.exam_slot_id)) execute function leave_exam_seats();

create function follow_exam_seats() returns trigger language plpgsql as $$
begin
  update exam_seats s set during = n.during from new_rows n
    where s.exam_schedule_id = n.exam_schedule_id and s.location_id = n.location_id and s.during <> n.during;
  -- Fewer seats: those with the highest numbers are given up.
  delete from exam_seats where id in (select x.id from (select s.id, l.seats,
      row_number() over (partition by s.exam_schedule_id, s.location_id order by s.seat) as place
    from new_rows l join exam_seats s on s.exam_schedule_id = l.exam_schedule_id and s.location_id = l.location_id) x
    where x.place > x.seats);
  return null;
end $$;
create trigger follow_seats after update on exam_schedule_locations referencing new table as new_rows
  for each statement execute function follow_exam_seats();
