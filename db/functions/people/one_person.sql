-- So are birth date, gender and national id those of the person.
create or replace function one_person() returns trigger language plpgsql as $$
begin
  update students set (national_id, birth_date, gender) = (new.national_id, new.birth_date, new.gender)
    where user_id = new.user_id and id <> new.id and removed_at is null
      and (national_id, birth_date, gender) is distinct from (new.national_id, new.birth_date, new.gender);
  return null;
end $$;
