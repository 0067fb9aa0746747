-- One person bears one name: the account and every other record of it bear what is written in one of them, so that papers,
-- lists and messages call a person the same.
create or replace function name_account_by_record() returns trigger language plpgsql as $$
declare
  one text;
begin
  update users set (name, name_local, given_name, father_name, grandfather_name, family_name,
      given_name_local, father_name_local, grandfather_name_local, family_name_local, used_name, used_name_local)
    = (new.name, new.name_local, new.given_name, new.father_name, new.grandfather_name, new.family_name,
      new.given_name_local, new.father_name_local, new.grandfather_name_local, new.family_name_local, new.used_name, new.used_name_local)
    where id = new.user_id;
  if new.removed_at is not null then return null; end if;
  foreach one in array array['students', 'instructors'] loop
    execute format('update %1$I set (name, name_local, given_name, father_name, grandfather_name, family_name,
        given_name_local, father_name_local, grandfather_name_local, family_name_local, used_name, used_name_local)
      = ($1.name, $1.name_local, $1.given_name, $1.father_name, $1.grandfather_name, $1.family_name,
        $1.given_name_local, $1.father_name_local, $1.grandfather_name_local, $1.family_name_local, $1.used_name, $1.used_name_local)
      where user_id = $1.user_id and removed_at is null and not (%1$L = $2 and id = $1.id)
        and (name, name_local, given_name, father_name, grandfather_name, family_name, given_name_local, father_name_local,
          grandfather_name_local, family_name_local, used_name, used_name_local) is distinct from ($1.name, $1.name_local,
          $1.given_name, $1.father_name, $1.grandfather_name, $1.family_name, $1.given_name_local, $1.father_name_local,
          $1.grandfather_name_local, $1.family_name_local, $1.used_name, $1.used_name_local)', one) using new, tg_table_name::text;
  end loop;
  return null;
end $$;
