-- A payer that another person takes over, as when two records or two accounts become one, is the main one where there is no other.
create or replace function keep_main_payer() returns trigger language plpgsql as $$
begin
  if new.student_id is distinct from old.student_id then
    new.main := not exists (select from payers where student_id = new.student_id and main and id <> new.id);
  end if;
  if new.user_id is distinct from old.user_id then
    new.main := not exists (select from payers where user_id = new.user_id and main and id <> new.id);
  end if;
  return new;
end $$;
