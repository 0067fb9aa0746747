-- Names in parts, where they are known: of the person, the father, the grandfather and the family, in each script; and the
-- name by which somebody is called. The full name is what the parts make (`areas/people/names/name.rules.ts`).
do $$
declare
  one text;
begin
  foreach one in array array['students', 'instructors', 'users'] loop
    execute format('alter table %I
      add column given_name text, add column father_name text, add column grandfather_name text, add column family_name text,
      add column given_name_local text, add column father_name_local text, add column grandfather_name_local text,
      add column family_name_local text, add column used_name text, add column used_name_local text', one);
  end loop;
end $$;

-- Whoever writes the full name otherwise leaves no parts behind that do not make it.
create function keep_name_parts() returns trigger language plpgsql as $$
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

-- The account bears what the record bears.
create or replace function name_account_by_record() returns trigger language plpgsql as $$
begin
  update users set (name, name_local, given_name, father_name, grandfather_name, family_name,
      given_name_local, father_name_local, grandfather_name_local, family_name_local, used_name, used_name_local)
    = (new.name, new.name_local, new.given_name, new.father_name, new.grandfather_name, new.family_name,
      new.given_name_local, new.father_name_local, new.grandfather_name_local, new.family_name_local, new.used_name, new.used_name_local)
    where id = new.user_id;
  return null;
end $$;
do $$
declare
  one text;
  names constant text := 'name, name_local, given_name, father_name, grandfather_name, family_name, given_name_local, father_name_local, grandfather_name_local, family_name_local';
begin
  foreach one in array array['students', 'instructors', 'users'] loop
    execute format('create trigger keep_name_parts_insert before insert on %I for each row
      when (new.given_name is not null or new.given_name_local is not null) execute function keep_name_parts()', one);
    execute format('create trigger keep_name_parts before update of %s on %I for each row
      execute function keep_name_parts()', names, one);
  end loop;
  foreach one in array array['students', 'instructors'] loop
    execute format('drop trigger name_account on %I', one);
    execute format('create trigger name_account after update of %s, used_name, used_name_local on %I for each row
      when (new.user_id is not null and (old.name, old.name_local, old.given_name, old.father_name, old.grandfather_name,
        old.family_name, old.given_name_local, old.father_name_local, old.grandfather_name_local, old.family_name_local,
        old.used_name, old.used_name_local) is distinct from (new.name, new.name_local, new.given_name, new.father_name,
        new.grandfather_name, new.family_name, new.given_name_local, new.father_name_local, new.grandfather_name_local,
        new.family_name_local, new.used_name, new.used_name_local)) execute function name_account_by_record()', names, one);
  end loop;
end $$;
