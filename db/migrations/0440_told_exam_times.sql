-- When people were told that an exam is held: what stands in their calendars. It stays while a published exam is opened again,
-- so that calendars cancel what they hold, and it is behind `during` when a slot or the season has moved a published exam.
alter table exam_schedules add column told tsrange;
update exam_schedules s set told = s.during from exams e where e.id = s.exam_id and e.status = 'published' and s.removed_at is null;

drop trigger audit_insert on exam_schedules;
drop trigger audit_update on exam_schedules;
drop trigger audit_delete on exam_schedules;
drop trigger touch on exam_schedules;
select audit_table('exam_schedules', array['during', 'told']);

-- Publishing tells; opening again raises the version of each schedule, by which calendars know that theirs is old.
create function tell_exam_times() returns trigger language plpgsql as $$
begin
  update exam_schedules set told = case when new.status = 'published' then during else told end
    where exam_id = new.id and removed_at is null;
  return null;
end $$;
create trigger tell_times after update of status on exams for each row
  when (old.status is distinct from new.status) execute function tell_exam_times();
