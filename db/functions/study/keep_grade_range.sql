-- Asked when everything is written: a set may be written anew, as long as its letters are there in the end.
create or replace function keep_grade_range() returns trigger language plpgsql as $$
declare
  type grade_types;
begin
  select * into type from grade_types where id = old.grade_type_id;
  if found and not exists (select from grade_ranges a where a.grade_type_id = type.id and a.letter = old.letter) then
    perform keep_grade(type.bylaw_id, type.kind, old.letter);
  end if;
  return null;
end $$;
