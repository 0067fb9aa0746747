-- One person may study in two programs at once: one account, one national id, and a record of a student in each program,
-- with its own code, bylaw, registrations and figures. In one program there is one.
alter table students drop constraint students_user_id_key;
create unique index student_in_program_already on students (program_id, user_id) where user_id is not null and removed_at is null;
create index students_user on students (user_id) where user_id is not null;

-- A national id is that of one person: two records bear it only where they are of one account. At the end of a statement,
-- which may change all records of a person.
alter table students drop constraint students_national_id_key;
alter table students add constraint students_national_id_key
  exclude using gist (national_id with =, (coalesce(user_id, -id)) with <>) where (national_id is not null and removed_at is null) deferrable;

-- Opened beside another record of the same person, knowing that.
alter table students add is_second_record boolean not null default false;

-- As which of the own records somebody works in a session; null: none was chosen.
alter table sessions add student_id integer references students on delete cascade;
create index sessions_student_id on sessions (student_id) where student_id is not null;

-- Whatever is registered in one record concerns the others of the person: the turns of all of them move on together, whoever
-- writes, so that a request that was judged beside the other record as it was before is judged again.
alter table registration_turns add account integer;
comment on column registration_turns.account is 'The account, where it bears several records; null: it bears one, or there is none.';
create function move_turns_of_person() returns trigger language plpgsql as $$
begin
  update registration_turns t set turn = t.turn + 1
    where t.student_id in (select student_id from registration_turns o
      where o.student_id in (select id from students where user_id = new.account and removed_at is null) and o.student_id <> new.student_id
      order by 1 for no key update);
  return null;
end $$;
create trigger move_turns_of_person after update of turn on registration_turns
  for each row when (new.account is not null and pg_trigger_depth() = 0) execute function move_turns_of_person();

-- Which records are of one person, as accounts come to bear them and let them go.
create function share_turns(accounts integer[], let_go integer[] default '{}') returns void language sql as $$
  update registration_turns t set account = n.account, turn = t.turn + 1
  from (
    select s.id, case when s.removed_at is null and (
        select count(*) from students o where o.user_id = s.user_id and o.removed_at is null) > 1 then s.user_id end as account
    from students s where s.user_id = any (accounts) or s.id = any (let_go)) n
  where t.student_id = n.id and t.account is distinct from n.account
$$;
create function share_turns_of_record() returns trigger language plpgsql as $$
begin
  perform share_turns(array_remove(array[old.user_id, new.user_id], null), array[new.id]);
  return null;
end $$;
create trigger share_turns after update of user_id, removed_at on students
  for each row when (old.user_id is distinct from new.user_id or (old.removed_at is null) <> (new.removed_at is null))
  execute function share_turns_of_record();
-- After `first_turn`, in the order of names.
create function share_turns_of_added() returns trigger language plpgsql as $$
declare
  accounts integer[] := array(select s.user_id from students s where s.removed_at is null
    and s.user_id in (select user_id from added where user_id is not null) group by s.user_id having count(*) > 1);
begin
  if cardinality(accounts) > 0 then perform share_turns(accounts); end if;
  return null;
end $$;
create trigger share_turns_of_added after insert on students
  referencing new table as added for each statement execute function share_turns_of_added();
create function share_turns_of_deleted() returns trigger language plpgsql as $$
begin
  perform share_turns(array[old.user_id]);
  return null;
end $$;
create trigger share_turns_of_deleted after delete on students
  for each row when (old.user_id is not null) execute function share_turns_of_deleted();

-- One person bears one name: the account and every other record of it bear what is written in one of them.
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
-- So are birth date, gender and national id those of the person.
create function one_person() returns trigger language plpgsql as $$
begin
  update students set (national_id, birth_date, gender) = (new.national_id, new.birth_date, new.gender)
    where user_id = new.user_id and id <> new.id and removed_at is null
      and (national_id, birth_date, gender) is distinct from (new.national_id, new.birth_date, new.gender);
  return null;
end $$;
create trigger one_person after update of national_id, birth_date, gender on students
  for each row when (new.user_id is not null and new.removed_at is null and (old.national_id, old.birth_date, old.gender)
    is distinct from (new.national_id, new.birth_date, new.gender)) execute function one_person();

-- An e-mail address is that of one person: all records of an account may bear it.
create or replace function refuse_email_of_another() returns trigger language plpgsql as $$
declare
  wanted text := lower(new.email);
  account integer;
  taken boolean;
begin
  if tg_table_name = 'users' then
    taken := exists (select from students s where lower(s.email) = wanted and s.removed_at is null
        and case when s.user_id is null then new.type <> 3 else s.user_id <> new.id end)
      or exists (select from instructors i where lower(i.email) = wanted and i.removed_at is null
        and case when i.user_id is null then new.type <> 1 else i.user_id <> new.id end);
  else
    account := (to_jsonb(new) ->> 'user_id')::integer;
    taken := exists (select from users u where lower(u.email) = wanted and u.removed_at is null
        and case when account is not null then u.id <> account
          else u.type <> case tg_table_name when 'students' then 3 else 1 end
            or exists (select from students s where s.user_id = u.id) or exists (select from instructors i where i.user_id = u.id) end)
      or exists (select from students s where lower(s.email) = wanted and s.removed_at is null
        and (account is null or s.user_id is distinct from account)
        and case tg_table_name when 'students' then s.id <> new.id else true end)
      or exists (select from instructors i where lower(i.email) = wanted and i.removed_at is null
        and case tg_table_name when 'instructors' then i.id <> new.id else account is null or i.user_id is distinct from account end);
  end if;
  if taken then
    raise exception using errcode = '23505', constraint = 'email_of_another_person',
      message = 'the e-mail is that of another person', detail = 'Key (email)=(' || new.email || ') already exists.';
  end if;
  return new;
end $$;
