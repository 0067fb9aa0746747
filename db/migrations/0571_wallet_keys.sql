-- A press of a button at the desk: what it did is answered again to whoever sends it once more.
create table repeat_keys (
  key uuid primary key,
  payer_id integer not null references payers,
  -- What was asked for, and what was answered.
  asked jsonb not null,
  answer jsonb not null,
  created_at timestamptz not null default now()
);
create index repeat_keys_payer on repeat_keys (payer_id);

-- The review of a drawer whose count differed: said once, by somebody else than who counted.
alter table cash_shifts
  add column reviewed_by integer references users,
  add column reviewed_at timestamptz,
  add column review_note text check (length(review_note) between 3 and 500),
  add constraint shift_reviewed check ((reviewed_by is null) = (reviewed_at is null) and (reviewed_by is null) = (review_note is null)),
  add constraint shift_review_closed check (reviewed_at is null or closed_at is not null),
  add constraint shift_review_own check (reviewed_by is distinct from cashier_id);
create index cash_shifts_reviewed_by on cash_shifts (reviewed_by);
create function keep_shift_review() returns trigger language plpgsql as $$
begin
  if old.reviewed_at is not null and (new.reviewed_by, new.reviewed_at, new.review_note) is distinct from (old.reviewed_by, old.reviewed_at, old.review_note) then
    raise exception 'A review stays as it was said' using errcode = 'check_violation', constraint = 'shift_review_stays';
  end if;
  return new;
end $$;
create trigger keep_review before update on cash_shifts for each row execute function keep_shift_review();
