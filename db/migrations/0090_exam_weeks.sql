-- Days of exams on which the weekly meetings of the university, of a faculty, or of a level of either do not take place. On all
-- other days a meeting closes its room, its teachers and its students to exams.
create table exam_weeks (
  id integer generated always as identity primary key,
  term_id integer not null references terms,
  -- Null: of the whole university.
  faculty_id integer references faculties,
  -- Null: of all levels.
  level smallint constraint exam_weeks_level check (level between 0 and 7),
  kind text not null check (kind in ('midterm', 'final')),
  start_date date not null,
  end_date date not null,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint exam_week_order check (start_date <= end_date),
  constraint exam_week_length check (end_date - start_date <= 60),
  constraint exam_week_twice exclude using gist (term_id with =, (coalesce(faculty_id, 0)) with =, (coalesce(level, -1)) with =,
    (daterange(start_date, end_date, '[]')) with &&) where (removed_at is null)
);
create index exam_weeks_term on exam_weeks (term_id);
create index exam_weeks_faculty on exam_weeks (faculty_id);
select audit_table('exam_weeks');

install function guard_exam_week, guard_weekly_hall;
create trigger guard_days before insert or update of term_id, start_date, end_date on exam_weeks
  for each row execute function guard_exam_week();
create trigger guard_exam_hall after insert or update of day, slot_id, location_id on offering_slots
  for each row when (new.location_id is not null and new.slot_id is not null) execute function guard_weekly_hall();
