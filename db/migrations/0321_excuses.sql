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
