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

-- The study the student is in began after this term (null: with the first), and what stands before its first finished term is
-- in `entry_standing`, from `after_term_id` of it on.
alter table students add column study_after_term_id integer references terms;

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

-- Courses brought from elsewhere: another university, or a term abroad. Of a student, or of somebody who applies.
create table external_transfers (
  id integer generated always as identity primary key,
  student_id integer references students on delete cascade,
  applicant_id integer,
  program_id integer not null references programs,
  term_id integer not null references terms,
  kind text not null check (kind in ('external', 'study_abroad')),
  institution text not null,
  institution_program text,
  country_id integer references countries,
  note text,
  status text not null default 'entered' check (status in ('entered', 'executed', 'deleted')),
  executed_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint external_transfer_subject check (num_nonnulls(student_id, applicant_id) = 1),
  constraint external_transfer_executed check (executed_at is null or status = 'executed')
);
create index external_transfers_student on external_transfers (student_id);
create index external_transfers_program on external_transfers (program_id, status);
select audit_table('external_transfers');

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
  constraint equivalence_of_one check (num_nonnulls(internal_transfer_id, external_transfer_id) = 1),
  constraint equivalence_whole check ((state = 'none') = (course_id is null) and (course_id is null) = (credit_hours is null)),
  constraint equivalence_counts check (not counts_in_gpa or points is not null),
  constraint equivalence_course_twice unique (internal_transfer_id, course_id) deferrable initially deferred,
  constraint equivalence_course_twice_external unique (external_transfer_id, course_id) deferrable initially deferred,
  constraint equivalence_source_twice unique (internal_transfer_id, source_course_id) deferrable initially deferred
);
create index equivalences_external on equivalences (external_transfer_id, position);
create index equivalences_internal on equivalences (internal_transfer_id, position);
create index equivalences_known on equivalences (source_key);
create index equivalences_registration on equivalences (registration_id);
select audit_table('equivalences');

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
  constraint course_credit_points check (not counts_in_gpa or points is not null)
);
create unique index course_credit_once on course_credits (student_id, course_id) where former_study_id is null;
create index course_credits_student on course_credits (student_id);
select audit_table('course_credits');

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

-- Of two requests at one moment, to move within the university and to leave it, one is refused.
create function one_way_of_transfer() returns trigger language plpgsql as $$
begin
  perform from students where id = new.student_id for no key update;
  if tg_table_name = 'transfers_out' then
    if new.status = 'requested' and exists (select from internal_transfers where student_id = new.student_id and status in ('added', 'agreed')) then
      raise exception using errcode = '23514', constraint = 'transfer_out_while_internal', message = 'an internal transfer is pending';
    end if;
  elsif new.status in ('added', 'agreed') and exists (select from transfers_out where student_id = new.student_id and status = 'requested') then
    raise exception using errcode = '23514', constraint = 'transfer_while_out', message = 'a transfer out is pending';
  end if;
  return new;
end $$;
create trigger one_way before insert or update of status on transfers_out for each row execute function one_way_of_transfer();
create trigger one_way before insert or update of status on internal_transfers for each row execute function one_way_of_transfer();

-- Places that a program has for students who transfer to it in one term; null: as many as come.
alter table programs add column transfer_places integer check (transfer_places >= 0);

-- Whether a term comes after another one, of which there may be none.
create function term_after(term integer, after integer) returns boolean language sql stable parallel safe
return after is null or exists (
  select from terms x, terms a where x.id = term and a.id = after and (x.start_date, x.id) > (a.start_date, a.id));

-- A course passed elsewhere is passed here; what was attempted in an ended study counts only as it was credited.
create or replace function attempt_by_results(of_student integer, of_course integer, before_term integer) returns bigint
language plpgsql stable as $$
begin
  return (
    select case when bool_or(x.passed) then 64 when count(*) > 0 then 32 else 16 end
    from (
      select r.passed from registrations r join offerings o on o.id = r.offering_id join terms w on w.id = r.term_id
        join terms t on t.id = before_term and (w.start_date, w.id) < (t.start_date, t.id)
        join students s on s.id = r.student_id join bylaws b on b.id = s.bylaw_id
      where r.student_id = of_student and (r.passed is not null or r.status & 2305843009884782592 <> 0)
        and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
        and (r.course_id = of_course or r.course_id in (select e.equal_course_id from course_equals e where e.course_id = of_course))
        and result_out(o.control_status, b.grades_visibility ->> 'letter', r.status, r.total)
      union all
      select true from course_credits k where k.student_id = of_student and k.former_study_id is null
        and (k.course_id = of_course or k.course_id in (select e.equal_course_id from course_equals e where e.course_id = of_course))) x);
end $$;

-- Where courses were credited after the last finished term, what stands is what they made of it.
create or replace function settle_standing(ids integer[], firsts integer[] default '{}') returns table (student_id integer, user_id integer, dismissed boolean)
language sql as $$
  with now_standing as materialized (
    select s.id, case when x.term_id is not null then x.cumulative_gpa else (s.entry_standing ->> 'gpa')::numeric end as gpa,
      coalesce(x.cumulative_passed_hours, (s.entry_standing ->> 'passed_hours')::numeric, 0) as passed_hours,
      coalesce(x.warnings, (s.entry_standing ->> 'warnings')::smallint, 0) as warnings,
      coalesce(x.level, (s.entry_standing ->> 'level')::smallint,
        (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) as level,
      case when coalesce(x.standing, '') = 'dismissed' and (s.status = 'studying' or s.dismissed_term_id is not null)
        and figures_out(s.id, x.term_id, 'Published') then x.term_id end as dismissed_term_id,
      s.dismissed_term_id as before
    from students s left join lateral (
      select t.* from student_terms t join terms w on w.id = t.term_id
      where t.student_id = s.id and t.revised_since is null
        and (s.entry_standing ->> 'after_term_id' is null or term_after(t.term_id, (s.entry_standing ->> 'after_term_id')::integer))
      order by w.start_date desc, w.id desc limit 1) x on true
    where s.id = any (ids)
  ), written as (
    update students s set gpa = n.gpa, passed_hours = n.passed_hours, warnings = n.warnings, level = n.level,
      dismissed_term_id = n.dismissed_term_id,
      entry_standing = case when s.id = any (firsts) and s.entry_standing is null then jsonb_build_object('gpa', s.gpa,
        'passed_hours', s.passed_hours, 'warnings', s.warnings, 'level', s.level) else s.entry_standing end,
      status = case when n.dismissed_term_id is not null then 'dismissed'
        when n.before is not null and s.status = 'dismissed' then 'studying' else s.status end
    from now_standing n
    where s.id = n.id and ((s.id = any (firsts) and s.entry_standing is null) or (s.gpa, s.passed_hours, s.warnings, s.level, s.dismissed_term_id)
      is distinct from (n.gpa, n.passed_hours, n.warnings, n.level, n.dismissed_term_id))
    returning s.id, s.user_id, n.dismissed_term_id is not null as dismissed, (n.before is null) <> (n.dismissed_term_id is null) as turned)
  select w.id, w.user_id, w.dismissed from written w where w.turned order by 1
$$;

-- Hours are kept as students' hours are.
do $$
declare
  hours text := (select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'students'::regclass and attname = 'passed_hours');
begin
  drop view shown_standing;
  execute format($view$
    create view shown_standing as
    select s.id as student_id,
      case when x.term_id is not null then x.cumulative_gpa when f.finished then (s.entry_standing ->> 'gpa')::numeric else s.gpa end as gpa,
      case when x.term_id is not null then x.cumulative_passed_hours
        when f.finished then coalesce((s.entry_standing ->> 'passed_hours')::numeric::%1$s, 0) else s.passed_hours end as passed_hours,
      case when x.term_id is not null then x.warnings
        when f.finished then coalesce((s.entry_standing ->> 'warnings')::smallint, 0) else s.warnings end as warnings,
      case when x.term_id is not null then x.level
        when f.finished then coalesce((s.entry_standing ->> 'level')::smallint,
          (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) else s.level end as level,
      b.grades_visibility ->> 'gpa' is not null as gpa_shown
    from students s join bylaws b on b.id = s.bylaw_id
      left join lateral (select true as finished from student_terms t where t.student_id = s.id limit 1) f on true
      -- Whoever has finished no term has no figures to hold back.
      left join lateral (
        select k.term_start, k.term_id from figures_held_back(s.id, b.grades_visibility ->> 'gpa') k where f.finished) h on true
      left join lateral (
        select t.term_id, t.cumulative_gpa, t.cumulative_passed_hours, t.warnings, t.level
        from student_terms t join terms w on w.id = t.term_id
        where f.finished and t.student_id = s.id and t.revised_since is null
          and (h.term_id is null or (w.start_date, w.id) < (h.term_start, h.term_id))
          and (s.entry_standing ->> 'after_term_id' is null or term_after(t.term_id, (s.entry_standing ->> 'after_term_id')::integer))
        order by w.start_date desc, w.id desc limit 1) x on true$view$, hours);
end $$;
