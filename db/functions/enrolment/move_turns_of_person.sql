create or replace function move_turns_of_person() returns trigger language plpgsql as $$
begin
  update registration_turns t set turn = t.turn + 1
    where t.student_id in (select student_id from registration_turns o
      where o.student_id in (select id from students where user_id = new.account and removed_at is null) and o.student_id <> new.student_id
      order by 1 for no key update);
  return null;
end $$;
