create or replace function keep_shift_review() returns trigger language plpgsql as $$
begin
  if old.reviewed_at is not null and (new.reviewed_by, new.reviewed_at, new.review_note) is distinct from (old.reviewed_by, old.reviewed_at, old.review_note) then
    raise exception 'A review stays as it was said' using errcode = 'check_violation', constraint = 'shift_review_stays';
  end if;
  return new;
end $$;
