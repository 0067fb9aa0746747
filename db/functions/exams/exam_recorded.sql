-- How often something was written down of an exam that was held: absences, investigations. (Papers that were handed out hold halls.)
create or replace function exam_recorded(schedule integer) returns integer language sql stable as $$
  select (select count(*) from exam_absences a where a.exam_schedule_id = schedule and a.status <> 'cancelled')::int
    + (select count(*) from exam_cases k where k.exam_schedule_id = schedule and k.status <> 'cleared' and k.removed_at is null)::int
$$;
