create or replace function first_turn() returns trigger language plpgsql as $$
begin
  insert into registration_turns (student_id, turn) select id, 0 from added;
  return null;
end $$;
