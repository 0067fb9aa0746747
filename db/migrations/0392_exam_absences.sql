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
select audit_table('exam_cases');

-- Neither is about somebody of another offering.
create function guard_exam_day() returns trigger language plpgsql as $$
begin
  if not exists (select from exam_schedules s join registrations r on r.offering_id = s.offering_id
      where s.id = new.exam_schedule_id and r.id = new.registration_id) then
    raise exception using errcode = '23514', constraint = 'exam_seat_other', message = 'the student sits another exam';
  end if;
  return new;
end $$;
create trigger guard_exam before insert or update of exam_schedule_id, registration_id on exam_absences
  for each row execute function guard_exam_day();
create trigger guard_exam before insert or update of exam_schedule_id, registration_id on exam_cases
  for each row execute function guard_exam_day();
