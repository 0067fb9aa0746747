-- Whoever writes the full name otherwise leaves no parts behind that do not make it.
create or replace function keep_name_parts() returns trigger language plpgsql as $$
begin
  if new.name is distinct from nullif(concat_ws(' ', new.given_name, new.father_name, new.grandfather_name, new.family_name), '')
    or new.given_name is null then
    new.given_name := null; new.father_name := null; new.grandfather_name := null; new.family_name := null;
  end if;
  if new.name_local is distinct from
      nullif(concat_ws(' ', new.given_name_local, new.father_name_local, new.grandfather_name_local, new.family_name_local), '')
    or new.given_name_local is null then
    new.given_name_local := null; new.father_name_local := null; new.grandfather_name_local := null; new.family_name_local := null;
  end if;
  return new;
end $$;
