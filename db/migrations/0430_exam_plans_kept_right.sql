-- A repair runs as a job: which schedules must go elsewhere.
alter table exam_placements add column must_move integer[] not null default '{}';

-- However its job ends, a run ends with it: one that failed for good stays open for nobody.
create function end_exam_placement() returns trigger language plpgsql as $$
begin
  update exam_placements set state = case new.state when 'cancelled' then 'discarded' else 'failed' end, finished_at = now()
    where job_id = new.id and state = 'running';
  return null;
end $$;
create trigger end_exam_placement after update of state on jobs for each row
  when (new.name = 'exam-placement' and new.state in ('done', 'failed', 'cancelled')) execute function end_exam_placement();
create index exam_placements_job on exam_placements (job_id) where state = 'running';
-- Those whose job is over already.
update exam_placements p set state = 'failed', finished_at = now()
  where p.state = 'running' and not exists (select from jobs j where j.id = p.job_id and j.state in ('queued', 'running'));

-- A hall or a person is not to be had on any day of an exam, where none is named.
alter table exam_closures
  alter column on_date drop not null,
  add constraint exam_closures_every_day check (on_date is not null or num_nonnulls(location_id, instructor_id) = 1);

-- How often something was written down of an exam that was held: absences, investigations. (Papers that were handed out hold halls.)
create function exam_recorded(schedule integer) returns integer language sql stable as $$
  select (select count(*) from exam_absences a where a.exam_schedule_id = schedule and a.status <> 'cancelled')::int
    + (select count(*) from exam_cases k where k.exam_schedule_id = schedule and k.status <> 'cleared' and k.removed_at is null)::int
$$;

-- What was held, and of which something is written down, stays where it was.
create function guard_held_exam() returns trigger language plpgsql as $$
begin
  if (new.on_date, new.exam_slot_id, new.removed_at) is distinct from (old.on_date, old.exam_slot_id, old.removed_at)
      and old.during is not null and upper(old.during) < now() at time zone university_zone() and exam_recorded(old.id) > 0 then
    raise exception using errcode = '23514', constraint = 'exam_schedule_held', message = 'the exam was held';
  end if;
  return new;
end $$;
create trigger guard_held before update of on_date, exam_slot_id, removed_at on exam_schedules
  for each row execute function guard_held_exam();
