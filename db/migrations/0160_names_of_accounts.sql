-- An account bears the name of its record: papers, lists and messages call a person the same.
create function name_account_by_record() returns trigger language plpgsql as $$
begin
  update users set name = new.name, name_local = new.name_local
    where id = new.user_id and (name, name_local) is distinct from (new.name, new.name_local);
  return null;
end $$;
create trigger name_account after update of name, name_local on students
  for each row when (new.user_id is not null and (old.name, old.name_local) is distinct from (new.name, new.name_local))
  execute function name_account_by_record();
create trigger name_account after update of name, name_local on instructors
  for each row when (new.user_id is not null and (old.name, old.name_local) is distinct from (new.name, new.name_local))
  execute function name_account_by_record();
