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

-- Who sits where and when in a hall, as a short text; null: nobody.
create function exam_list_print(schedule integer, hall integer) returns text language sql stable as $$
  select md5(string_agg(concat_ws(' ', z.registration_id, z.seat, lower(z.during), upper(z.during)), ';' order by z.seat, z.id))
  from exam_seats z join registrations r on r.id = z.registration_id and sits_exam(r.status)
  where z.exam_schedule_id = schedule and z.location_id = hall
$$;

-- Lists that hang on doors and are not right: others sit there, on other seats, at another time, or nobody.
create view exam_prints_outdated as
  select p.* from exam_prints p join exam_schedules s on s.id = p.exam_schedule_id
  where p.print is distinct from exam_list_print(p.exam_schedule_id, p.location_id);
