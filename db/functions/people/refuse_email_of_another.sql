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
