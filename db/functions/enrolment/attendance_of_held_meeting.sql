-- Nothing is recorded of a meeting that was cancelled, whoever writes at the same moment.
create or replace function attendance_of_held_meeting() returns trigger language plpgsql as $$
begin
  perform from meeting_occurrences where id = new.occurrence_id and cancelled_at is null for share;
  if not found then
    raise exception using errcode = 'UE409', message = 'occurrence_cancelled',
      detail = (select json_build_object('date', date) from meeting_occurrences where id = new.occurrence_id)::text;
  end if;
  return new;
end $$;
