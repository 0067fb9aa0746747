-- Works out from which day to which students stood how, of what is kept elsewhere: decisions on the status, levels after finished
-- terms, years of a regulation by levels, executed transfers. For what was there before it was kept, and what is loaded at once.
create or replace function restate_standings(ids integer[] default null) returns void language plpgsql as $$
begin
  delete from student_standings where ids is null or student_id = any (ids);
  with mine as materialized (
    select s.id, s.status, s.faculty_id, s.program_id, s.level,
      least(university_today(), et.start_date, (select min(d.decided_on) from student_status_decisions d where d.student_id = s.id)) as entered
    from students s left join terms et on et.id = s.entry_term_id where ids is null or s.id = any (ids)
  ), told as (
    select m.id, m.entered, m.entered as day, 0 as place, coalesce(
        (select d.from_status from student_status_decisions d where d.student_id = m.id order by d.decided_on, d.id limit 1), m.status) as status,
      coalesce((select t.from_faculty_id from internal_transfers t where t.student_id = m.id and t.executed_at is not null order by t.executed_at limit 1),
        m.faculty_id) as faculty_id,
      coalesce((select t.from_program_id from internal_transfers t where t.student_id = m.id and t.executed_at is not null order by t.executed_at limit 1),
        m.program_id) as program_id,
      coalesce((select y.level from student_years y join years x on x.id = y.year_id where y.student_id = m.id order by x.start_date limit 1),
        (select t.level from student_terms t join terms x on x.id = t.term_id where t.student_id = m.id order by x.start_date limit 1),
        m.level) as level
    from mine m
    union all
    select m.id, m.entered, d.decided_on, d.id, d.to_status, null, null, null from student_status_decisions d join mine m on m.id = d.student_id
    union all
    select m.id, m.entered, (t.executed_at at time zone university_zone())::date, t.id, null,
      (select p.faculty_id from programs p where p.id = t.program_id), t.program_id, null
    from internal_transfers t join mine m on m.id = t.student_id where t.executed_at is not null
    union all
    select m.id, m.entered, x.start_date, 0, null, null, null, y.level from student_years y join years x on x.id = y.year_id join mine m on m.id = y.student_id
    union all
    select m.id, m.entered, x.end_date + 1, 0, null, null, null, t.level from student_terms t join terms x on x.id = t.term_id join mine m on m.id = t.student_id
    where t.revised_since is null
  ), days as (
    -- One line of a day: the last that was told of each.
    select id, greatest(day, entered) as day,
      (array_agg(status order by place desc) filter (where status is not null))[1] as status,
      (array_agg(faculty_id order by place desc) filter (where faculty_id is not null))[1] as faculty_id,
      (array_agg(program_id order by place desc) filter (where program_id is not null))[1] as program_id,
      (array_agg(level order by place desc) filter (where level is not null))[1] as level
    from told where day <= university_today() group by 1, 2
  ), filled as (
    select id, day, lead(day) over w as until_day,
      (array_agg(status) filter (where status is not null) over w) as statuses,
      (array_agg(faculty_id) filter (where faculty_id is not null) over w) as faculties,
      (array_agg(program_id) filter (where program_id is not null) over w) as programs,
      (array_agg(level) filter (where level is not null) over w) as levels
    from days window w as (partition by id order by day)
  )
  insert into student_standings (student_id, from_day, until_day, status, faculty_id, program_id, level)
  select f.id, f.day, f.until_day,
    -- How it is now is what the student's own record says.
    case when f.until_day is null then m.status else f.statuses[cardinality(f.statuses)] end,
    case when f.until_day is null then m.faculty_id else f.faculties[cardinality(f.faculties)] end,
    case when f.until_day is null then m.program_id else f.programs[cardinality(f.programs)] end,
    case when f.until_day is null then m.level else f.levels[cardinality(f.levels)] end
  from filled f join mine m on m.id = f.id;
  if ids is null then
    insert into student_standings_known (what, since) values
      ('status', coalesce((select min(from_day) from student_standings), university_today())),
      ('level', least(university_today(), (select min(x.end_date) + 1 from student_terms t join terms x on x.id = t.term_id),
        (select min(x.start_date) from student_years y join years x on x.id = y.year_id))),
      ('place', least(university_today(), (select min(executed_at)::date from internal_transfers)))
    on conflict (what) do update set since = excluded.since;
  end if;
end $$;
