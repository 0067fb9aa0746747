-- Placement tests: bands of scores are levels, courses stand at a level, and a result excuses a student from what lies below.
create table placement_tests (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  -- Whose students take it: the most exact of these; none: all students.
  faculty_id integer references faculties,
  bylaw_id integer references bylaws,
  program_id integer references programs,
  max_score numeric(6, 2) not null default 100 check (max_score > 0),
  -- Until it has a result, or is exempt, a student to whom it is due registers none of its courses.
  is_required boolean not null default false,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint placement_tests_code_key unique (code)
);
create index placement_tests_faculty on placement_tests (faculty_id);
create index placement_tests_bylaw on placement_tests (bylaw_id);
create index placement_tests_program on placement_tests (program_id);
select audit_table('placement_tests');

create table placement_levels (
  id integer generated always as identity primary key,
  placement_test_id integer not null references placement_tests on delete cascade,
  -- Level 1 is at position 0.
  position smallint not null,
  name text not null,
  name_local text not null,
  from_score numeric(6, 2) not null check (from_score >= 0),
  -- Exclusive, but for the highest.
  to_score numeric(6, 2) not null,
  constraint placement_levels_order check (from_score < to_score),
  constraint placement_levels_overlap exclude using gist (placement_test_id with =, numrange(from_score, to_score, '[)') with &&) deferrable
);
select audit_rows('placement_levels', 'placement_test_id');

create table placement_courses (
  id integer generated always as identity primary key,
  placement_test_id integer not null references placement_tests on delete cascade,
  position smallint not null,
  course_id integer not null references courses,
  level smallint not null check (level between 1 and 20),
  constraint placement_course_twice unique (placement_test_id, course_id) deferrable
);
create index placement_courses_course on placement_courses (course_id);
select audit_rows('placement_courses', 'placement_test_id');

create table placement_results (
  id integer generated always as identity primary key,
  code text not null,
  placement_test_id integer not null references placement_tests,
  student_id integer not null references students on delete cascade,
  score numeric(6, 2) check (score >= 0),
  is_exempt boolean not null default false,
  -- From the score; kept, because every request for registration reads it.
  level smallint,
  taken_on date,
  reason text,
  state text not null generated always as (case when is_exempt then 'exempt' when score is null then 'due' else 'scored' end) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint placement_results_code_key unique (code),
  constraint placement_result_twice unique (student_id, placement_test_id),
  constraint placement_result_scored check ((level is not null) = (score is not null and not is_exempt)),
  constraint placement_result_exempt check (not is_exempt or score is null)
);
create index placement_results_test on placement_results (placement_test_id);
select audit_table('placement_results');

-- The level follows from the score by the bands as they stand when it is written, whoever writes.
create function place_result() returns trigger language plpgsql as $$
declare
  most numeric;
begin
  -- Who is not there is refused by the references.
  new.code := coalesce((select t.code from placement_tests t where t.id = new.placement_test_id), '?') || '-'
    || coalesce((select s.code from students s where s.id = new.student_id), new.student_id::text);
  new.level := null;
  if new.score is null or new.is_exempt then return new; end if;
  -- Who changes the bands at this moment is waited for.
  select t.max_score into most from placement_tests t where t.id = new.placement_test_id for key share;
  if new.score > most then
    raise exception using errcode = '23514', constraint = 'placement_score_too_high', column = 'score', message = 'more than the test has';
  end if;
  select l.position + 1 into new.level from placement_levels l where l.placement_test_id = new.placement_test_id
    and (new.score >= l.from_score and (new.score < l.to_score or l.to_score = most)) order by l.position desc limit 1;
  if new.level is null then
    raise exception using errcode = '23514', constraint = 'placement_no_level', column = 'score', message = 'no level has this score';
  end if;
  return new;
end $$;
create trigger place before insert or update on placement_results for each row execute function place_result();
