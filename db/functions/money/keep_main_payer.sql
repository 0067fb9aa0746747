create or replace function keep_main_payer() returns trigger language plpgsql as $$
begin
  if new.student_id is distinct from old.student_id then
    new.main := not exists (select from payers where student_id = new.student_id and main and id <> new.id);
  end if;
  return new;
end $$;
