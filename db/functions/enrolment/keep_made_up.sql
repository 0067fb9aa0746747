-- A meeting is held on its own day or on the other, whoever writes.
create or replace function keep_made_up() returns trigger language plpgsql as $$
begin
  if new.makes_up_id is not null and new.cancelled_at is null then
    perform from meeting_occurrences where id = new.makes_up_id and cancelled_at is not null for share;
    if not found then
      raise exception using errcode = 'UE409', message = 'occurrence_not_cancelled', detail = json_build_object('date',
        (select date from meeting_occurrences where id = new.makes_up_id))::text;
    end if;
  end if;
  if tg_op = 'UPDATE' and new.cancelled_at is null and old.cancelled_at is not null then
    if exists (select from meeting_occurrences m where m.makes_up_id = new.id and m.cancelled_at is null) then
      raise exception using errcode = 'UE409', message = 'occurrence_made_up', detail = json_build_object('date', new.date, 'on',
        (select m.date from meeting_occurrences m where m.makes_up_id = new.id and m.cancelled_at is null))::text;
    end if;
  end if;
  return new;
end $$;
