-- A barcode keeps its signs and its offering, and stays.
create or replace function keep_exam_barcode() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.code, old.offering_id, old.created_at) is not distinct from (new.code, new.offering_id, new.created_at) then
    return new;
  end if;
  raise exception 'A barcode of an exam paper stays as it was drawn' using errcode = 'insufficient_privilege';
end $$;
