-- Who is given a place in a training holds it until the transaction ends, and is counted with those who were given one before.
create or replace function keep_training_places() returns trigger language plpgsql as $$
begin
  if new.training_id is null or new.removed_at is not null or new.status not in ('accepted', 'approved') then return null; end if;
  if tg_op = 'UPDATE' and old.status in ('accepted', 'approved') and old.removed_at is null
      and (old.training_id, old.from_week, old.until_week) is not distinct from (new.training_id, new.from_week, new.until_week) then
    return null;
  end if;
  perform from trainings where id = new.training_id for update;
  -- Of what stands in the end: whoever gave it back in the same transaction has no place.
  if exists (select from students_trainings t cross join lateral training_week_counts(t.training_id) w
      where t.id = new.id and t.status in ('accepted', 'approved') and t.removed_at is null and w.taken > w.places
        and w.week between coalesce(t.from_week, 1) and coalesce(t.until_week, 1000)) then
    raise exception 'More students than places' using errcode = 'check_violation', constraint = 'training_no_place';
  end if;
  return null;
end $$;
