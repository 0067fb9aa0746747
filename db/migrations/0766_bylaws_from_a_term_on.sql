-- What approved results stand on in a bylaw is not changed under them: it changes from a term on. What held until then is kept
-- whole, and computes earlier terms as before.
create table bylaw_editions (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  -- The first term in which these settings hold no more.
  until_term_id integer not null references terms,
  settings jsonb not null,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint bylaw_edition_once unique (bylaw_id, until_term_id)
);
create index bylaw_editions_term on bylaw_editions (until_term_id);
create index bylaw_editions_created_by on bylaw_editions (created_by);
select audit_rows('bylaw_editions', 'bylaw_id');

-- Results that stand on the settings of a bylaw in a term and after it, or at all: approved marks, finished terms, decided years.
create function results_of_bylaw(of_bylaw integer, from_term integer default null) returns integer language sql stable as $$
  with since as (select w.start_date, w.id from terms w where w.id = from_term),
  counted as materialized (
    select w.id from terms w where from_term is null or (w.start_date, w.id) >= (select start_date, id from since))
  select count(*)::int from (
    select r.id from students s join registrations r on r.student_id = s.id join offerings o on o.id = r.offering_id
      where s.bylaw_id = of_bylaw and r.letter is not null and r.total is not null
        and o.control_status in ('Approved', 'Published', 'Frozen') and r.term_id in (select id from counted)
        and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
    union all
    select t.student_id from student_terms t join students s on s.id = t.student_id
      where s.bylaw_id = of_bylaw and t.term_id in (select id from counted)
        and not exists (select from registrations r where r.student_id = t.student_id and r.term_id = t.term_id)) x
$$;

-- Whether everything that stands on a bylaw lies before its newest settings.
create function bylaw_settled(of_bylaw integer) returns boolean language sql stable as $$
  select case when max(w.start_date) is null then results_of_bylaw(of_bylaw) = 0
    else results_of_bylaw(of_bylaw, (array_agg(w.id order by w.start_date desc, w.id desc))[1]) = 0 end
  from bylaw_editions e join terms w on w.id = e.until_term_id where e.bylaw_id = of_bylaw
$$;
create function keep_settled_range() returns trigger language plpgsql as $$
declare
  bylaw integer := (select bylaw_id from grade_types where id = new.grade_type_id);
begin
  if not bylaw_settled(bylaw) then
    raise exception 'Approved results stand on these grades' using errcode = 'check_violation', constraint = 'settings_with_results';
  end if;
  return null;
end $$;
create constraint trigger keep_settled after update of from_percent, to_percent, letter, points, success on grade_ranges
  deferrable initially deferred for each row
  when ((old.from_percent, old.to_percent, old.letter, old.points, old.success)
    is distinct from (new.from_percent, new.to_percent, new.letter, new.points, new.success))
  execute function keep_settled_range();
-- A level in which students are stays.
create function keep_level() returns trigger language plpgsql as $$
begin
  if exists (select from bylaws where id = old.bylaw_id)
    and not exists (select from bylaw_levels l where l.bylaw_id = old.bylaw_id and l.level = old.level)
    and exists (select from students s where s.bylaw_id = old.bylaw_id and s.level = old.level and s.removed_at is null
      and s.status in ('studying', 'suspended') and exists (select from registrations r where r.student_id = s.id)) then
    raise exception 'Students are in level %', old.level using errcode = 'check_violation', constraint = 'level_with_students';
  end if;
  return null;
end $$;
create constraint trigger keep_level after delete or update of level on bylaw_levels deferrable initially deferred
  for each row execute function keep_level();
