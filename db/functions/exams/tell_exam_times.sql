-- Publishing tells; opening again raises the version of each schedule, by which calendars know that theirs is old.
create or replace function tell_exam_times() returns trigger language plpgsql as $$
begin
  update exam_schedules set told = case when new.status = 'published' then during else told end
    where exam_id = new.id and removed_at is null;
  return null;
end $$;
