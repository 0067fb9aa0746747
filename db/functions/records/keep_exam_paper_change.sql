create or replace function keep_exam_paper_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'What was asked about an exam paper stays' using errcode = 'insufficient_privilege';
  end if;
  if old.status <> 'asked'
    or (old.offering_id, old.registration_id, old.reason, old.asked_at) is distinct from (new.offering_id, new.registration_id, new.reason, new.asked_at)
    or (old.from_barcode_id, old.to_barcode_id, old.asked_by, old.really_asked_by)
      is distinct from (new.from_barcode_id, new.to_barcode_id, new.asked_by, new.really_asked_by) then
    raise exception 'What was asked about an exam paper is decided once, and stays as it was asked' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
