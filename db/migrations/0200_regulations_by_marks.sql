-- Term-mark and annual bylaws: what they rule, how much a course is out of, and in which level a student is in which year.

alter table bylaws
  -- Share of the maximum with which a course is passed.
  add column pass_share numeric(5, 2) not null default 50 constraint bylaws_pass_share check (pass_share > 0 and pass_share <= 100),
  -- With how many failed courses a student goes on to the next level.
  add column max_carried smallint not null default 2 constraint bylaws_max_carried check (max_carried between 0 and 30),
  -- Whether the final level can be left with failed courses as well.
  add column carried_from_final_level boolean not null default false,
  -- A make-up exam of what was failed, before promotion is decided.
  add column second_session boolean not null default false,
  -- A course passed at a later sitting counts with the marks that pass, no more.
  add column later_sitting_capped boolean not null default true,
  -- Years that may be spent in all; null: as many as the levels allow together.
  add column max_chances smallint constraint bylaws_max_chances check (max_chances between 1 and 30),
  -- Code of the rating that each level must reach for honours; null: there are none.
  add column honours_rating text,
  -- What grace marks may turn, in the order in which they are spent.
  add column grace_order text[] not null default '{pass_course,promote,next_rating}'
    constraint bylaws_grace_order check (grace_order <@ array['pass_course', 'promote', 'next_rating']),
  -- Most grace marks for a course in a year; 0: none.
  add column grace_per_course numeric(5, 2) not null default 0 constraint bylaws_grace_per_course check (grace_per_course >= 0),
  -- Most in all in a year; null: no such limit.
  add column grace_in_all numeric(5, 2) constraint bylaws_grace_in_all check (grace_in_all >= 0),
  -- Most in all as a share of the maximum of the level; null: no such limit.
  add column grace_share numeric(5, 2) constraint bylaws_grace_share check (grace_share between 0 and 100),
  add column grace_on_transcript boolean not null default false;

-- The minimum of the final exam goes to 30 by credit hours; a regulation by marks may ask for more.
alter table bylaws drop constraint bylaws_min_percentage_final_exam_check,
  add constraint bylaws_min_percentage_final_exam_check check (min_percentage_final_exam >= 0) not valid;
alter table bylaws validate constraint bylaws_min_percentage_final_exam_check;

alter table bylaw_levels
  -- Years that may be spent in the level; null: no limit.
  add column chances smallint default 2 constraint bylaw_levels_chances check (chances between 1 and 30),
  -- Whether its marks are part of the cumulative rating.
  add column counts_for_graduation boolean not null default true;

-- Ratings of a share of the maximum: each holds from its own share up to that of the next.
create table bylaw_ratings (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  -- As it stands in a result: EX, VG.
  code text not null,
  name text not null,
  name_local text not null,
  from_share numeric(5, 2) not null check (from_share >= 0 and from_share < 100),
  constraint bylaw_ratings_code_key unique (bylaw_id, code) deferrable,
  constraint bylaw_ratings_share_key unique (bylaw_id, from_share) deferrable
);

-- Courses that are an exception from carrying failed courses to the next level.
create table bylaw_carried_courses (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  course_id integer not null references courses,
  -- required: whoever failed it stays; uncounted: carried beside the others.
  kind text not null check (kind in ('required', 'uncounted')),
  constraint bylaw_carried_courses_course_key unique (bylaw_id, course_id) deferrable
);
create index bylaw_carried_courses_course on bylaw_carried_courses (course_id);

-- A regulation by marks begins with the usual ratings.
create function usual_ratings() returns trigger language plpgsql as $$
begin
  insert into bylaw_ratings (bylaw_id, code, name, name_local, from_share)
  select new.id, r.code, r.name, r.name_local, r.share
  from (values ('EX', 'Excellent', 'ممتاز', 85.0), ('VG', 'Very good', 'جيد جدًا', 75.0), ('G', 'Good', 'جيد', 65.0),
    ('P', 'Pass', 'مقبول', new.pass_share), ('W', 'Weak', 'ضعيف', 35.0),
    ('VW', 'Very weak', 'ضعيف جدًا', 0.0)) as r (code, name, name_local, share)
  where (r.code = 'P' or (r.share < new.pass_share) = (r.code in ('W', 'VW')))
    and not exists (select from bylaw_ratings b where b.bylaw_id = new.id);
  return null;
end $$;
create trigger usual_ratings after insert or update of program_type on bylaws for each row
  when (new.program_type in ('term', 'annual')) execute function usual_ratings();
-- Those that are there already.
update bylaws set program_type = program_type where program_type in ('term', 'annual');

alter table courses
  -- Under a regulation by marks: out of how many marks the course is.
  add column max_mark smallint not null default 100 constraint courses_max_mark check (max_mark between 1 and 999);
alter table program_courses
  -- In this plan; null: as the course says.
  add column max_mark smallint constraint program_courses_max_mark check (max_mark between 1 and 999);

-- Maxima and marks up to those of the largest course.
alter table offering_marks drop constraint offering_marks_max_check,
  add constraint offering_marks_max_check check (max > 0) not valid;
alter table offering_marks validate constraint offering_marks_max_check;
alter table registration_marks drop constraint registration_marks_mark_check,
  add constraint registration_marks_mark_check check (mark >= 0) not valid;
alter table registration_marks validate constraint registration_marks_mark_check;
alter table registrations drop constraint registrations_total_check,
  -- Under a regulation by marks: out of how many marks `total` is, and `letter` is the code of a rating; null: by credit hours.
  add column maximum smallint constraint registrations_maximum check (maximum between 1 and 999),
  add constraint registrations_total_check check (total between 0 and coalesce(maximum, 100)) not valid;
alter table registrations validate constraint registrations_total_check;

-- In which level a student is in an academic year, under a regulation by marks.
create table student_years (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  year_id integer not null references years,
  bylaw_id integer not null references bylaws,
  program_id integer not null references programs,
  level smallint not null check (level between 0 and 7),
  -- new: all of the level; carried: of it and what was failed before; repeating: what was failed in it; external: the
  -- same, only the exams.
  enrolment text not null check (enrolment in ('new', 'carried', 'repeating', 'external')),
  -- Chances that this year spends: 1, or none where it is excused or was stopped.
  chances_used smallint not null default 1 check (chances_used in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint student_years_year_key unique (student_id, year_id)
);
create index student_years_level on student_years (year_id, bylaw_id, level);
create index student_years_program on student_years (program_id);
create index student_years_bylaw on student_years (bylaw_id);
select audit_table('student_years');
select audit_rows(name, 'bylaw_id') from unnest(array['bylaw_ratings', 'bylaw_carried_courses']) as name;

-- As before, with the maximum.
create or replace function changed_registrations() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  actor integer := who ->> 'actor_id';
  impersonator integer := who ->> 'impersonator_id';
  address inet := who ->> 'ip';
  why text := who ->> 'reason';
  request text := who ->> 'request_id';
  authority text := current_setting('ems.authority', true);
  -- What a trigger writes is derived from a change that has its own entry.
  audited boolean := pg_trigger_depth() = 1;
  refused text[];
  students integer[];
  of_terms integer[];
  laters boolean[];
begin
  with changed as materialized (
    select n.id, n.student_id, n.term_id, o.offering_id as before, n.offering_id as after,
      case when o.offering_id <> n.offering_id or o.student_id <> n.student_id or o.credit_hours <> n.credit_hours then 'enrolment'
        when (o.status | 112) <> (n.status | 112) then 'state' else 'result' end as kind,
      (o.status | n.status) & 17592186047488 <> 0 as was_left,
      (o.status | 112, o.offering_id, o.credit_hours, o.points, o.passed, o.counts_in_gpa, o.counts_in_attempted_hours, o.letter is null)
        is distinct from
        (n.status | 112, n.offering_id, n.credit_hours, n.points, n.passed, n.counts_in_gpa, n.counts_in_attempted_hours, n.letter is null)
        as counts,
      concat_ws(',',
        case when o.status <> n.status then '"status":' || o.status end,
        case when o.total is distinct from n.total then '"total":' || coalesce(o.total::text, 'null') end,
        case when o.maximum is distinct from n.maximum then '"maximum":' || coalesce(o.maximum::text, 'null') end,
        case when o.letter is distinct from n.letter then '"letter":' || coalesce(to_json(o.letter)::text, 'null') end,
        case when o.points is distinct from n.points then '"points":' || coalesce(o.points::text, 'null') end,
        case when o.passed is distinct from n.passed then '"passed":' || coalesce(o.passed::text, 'null') end,
        case when o.counts_in_gpa is distinct from n.counts_in_gpa then '"counts_in_gpa":' || coalesce(o.counts_in_gpa::text, 'null') end,
        case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours then '"counts_in_attempted_hours":' || coalesce(o.counts_in_attempted_hours::text, 'null') end,
        case when o.student_id <> n.student_id then '"student_id":' || o.student_id end,
        case when o.offering_id <> n.offering_id then '"offering_id":' || o.offering_id end,
        case when o.term_id <> n.term_id then '"term_id":' || o.term_id end,
        case when o.course_id <> n.course_id then '"course_id":' || o.course_id end,
        case when o.credit_hours <> n.credit_hours then '"credit_hours":' || o.credit_hours end) as old,
      concat_ws(',',
        case when o.status <> n.status then '"status":' || n.status end,
        case when o.total is distinct from n.total then '"total":' || coalesce(n.total::text, 'null') end,
        case when o.maximum is distinct from n.maximum then '"maximum":' || coalesce(n.maximum::text, 'null') end,
        case when o.letter is distinct from n.letter then '"letter":' || coalesce(to_json(n.letter)::text, 'null') end,
        case when o.points is distinct from n.points then '"points":' || coalesce(n.points::text, 'null') end,
        case when o.passed is distinct from n.passed then '"passed":' || coalesce(n.passed::text, 'null') end,
        case when o.counts_in_gpa is distinct from n.counts_in_gpa then '"counts_in_gpa":' || coalesce(n.counts_in_gpa::text, 'null') end,
        case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours then '"counts_in_attempted_hours":' || coalesce(n.counts_in_attempted_hours::text, 'null') end,
        case when o.student_id <> n.student_id then '"student_id":' || n.student_id end,
        case when o.offering_id <> n.offering_id then '"offering_id":' || n.offering_id end,
        case when o.term_id <> n.term_id then '"term_id":' || n.term_id end,
        case when o.course_id <> n.course_id then '"course_id":' || n.course_id end,
        case when o.credit_hours <> n.credit_hours then '"credit_hours":' || n.credit_hours end) as new
    from old_rows o full join new_rows n on n.id = o.id
  ), kept as (
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
    select 'update', 'registrations', c.id, actor, impersonator, address, why, request,
      ('{' || c.old || '}')::jsonb, ('{' || c.new || '}')::jsonb
    from changed c where audited and c.new <> ''
  ), held as materialized (
    -- A step of control and a change meet at the row of the offering: whoever comes second sees what the first has done.
    select o.id, o.control_status, x.kind
    from offerings o join (
      select before as id, kind from changed union select after, 'enrolment' from changed where before <> after) x on x.id = o.id
    order by o.id for key share of o
  )
  select (select array[h.id::text, h.control_status, h.kind] from held h
      where not control_allows(h.control_status, h.kind, authority) order by h.id limit 1),
    array_agg(j.student_id), array_agg(j.term_id), array_agg(j.later)
  into refused, students, of_terms, laters
  from (
    select c.student_id, c.term_id, f.control_status in ('Approved', 'Published', 'Frozen') or c.was_left as later
    from changed c full join (select distinct id, control_status from held) f on f.id = c.after
    where coalesce(c.counts, false)) j
  -- What is settled concerns this and every later term, what is not the row of its own term alone.
  where j.later or exists (select from student_terms t where t.student_id = j.student_id and t.term_id = j.term_id);
  if refused is not null then
    perform refuse_by_control(refused[1]::integer, refused[2], refused[3]);
  end if;
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;
