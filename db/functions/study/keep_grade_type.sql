-- With a type go its ranges: what results it has is asked while they are there.
create or replace function keep_grade_type() returns trigger language plpgsql as $$
begin
  if exists (select from bylaws where id = old.bylaw_id) then
    perform keep_grade(old.bylaw_id, old.kind, a.letter) from grade_ranges a where a.grade_type_id = old.id;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
