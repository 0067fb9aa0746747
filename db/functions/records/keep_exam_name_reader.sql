create or replace function keep_exam_name_reader() returns trigger language plpgsql as $$
begin
  -- With the account of a person this goes as well.
  if tg_op = 'DELETE' and not exists (select from users u where u.id = old.read_by) then
    return old;
  end if;
  raise exception 'Who has seen the names of exam papers has seen them' using errcode = 'insufficient_privilege';
end $$;
