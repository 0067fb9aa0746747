create or replace function keep_credit_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.course_id <> old.course_id then
    select c.code, c.name, c.name_local into new.code, new.name, new.name_local from courses c where c.id = new.course_id;
  elsif (old.code, old.name, old.name_local) <> (new.code, new.name, new.name_local) then
    raise exception 'What was credited keeps its words' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
