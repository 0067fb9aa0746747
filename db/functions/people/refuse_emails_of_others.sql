-- An address is that of one person. Asked when the rows stand, so that two of one statement see each other as well; the lock
-- that lets one ask after the other is taken before (`lock_emails`). Who else bears it is looked up by the address alone
-- (`offset 0` keeps the planner from joining it with an index of all who are there, which it reads whole for each row while it
-- knows no figures of the table).
create or replace function refuse_emails_of_others() returns trigger language plpgsql as $$
declare
  taken text;
begin
  if tg_table_name = 'users' then
    select n.email into taken from new_rows n
    where n.email is not null and (
      exists (select from (select * from students s where lower(s.email) = lower(n.email) offset 0) s where s.removed_at is null
        and case when s.user_id is null then n.type <> 3 else s.user_id <> n.id end)
      or exists (select from (select * from instructors i where lower(i.email) = lower(n.email) offset 0) i where i.removed_at is null
        and case when i.user_id is null then n.type <> 1 else i.user_id <> n.id end))
    limit 1;
  elsif tg_table_name = 'students' then
    select n.email into taken from new_rows n
    where n.email is not null and (
      exists (select from (select * from users u where lower(u.email) = lower(n.email) offset 0) u where u.removed_at is null
        and case when n.user_id is not null then u.id <> n.user_id
          else u.type <> 3 or exists (select from students s where s.user_id = u.id)
            or exists (select from instructors i where i.user_id = u.id) end)
      or exists (select from (select * from students s where lower(s.email) = lower(n.email) offset 0) s where s.removed_at is null
        and (n.user_id is null or s.user_id is distinct from n.user_id) and s.id <> n.id)
      or exists (select from (select * from instructors i where lower(i.email) = lower(n.email) offset 0) i where i.removed_at is null
        and (n.user_id is null or i.user_id is distinct from n.user_id)))
    limit 1;
  else
    select n.email into taken from new_rows n
    where n.email is not null and (
      exists (select from (select * from users u where lower(u.email) = lower(n.email) offset 0) u where u.removed_at is null
        and case when n.user_id is not null then u.id <> n.user_id
          else u.type <> 1 or exists (select from students s where s.user_id = u.id)
            or exists (select from instructors i where i.user_id = u.id) end)
      or exists (select from (select * from students s where lower(s.email) = lower(n.email) offset 0) s where s.removed_at is null
        and (n.user_id is null or s.user_id is distinct from n.user_id))
      or exists (select from (select * from instructors i where lower(i.email) = lower(n.email) offset 0) i where i.removed_at is null
        and (n.user_id is null or i.user_id is distinct from n.user_id) and i.id <> n.id))
    limit 1;
  end if;
  if taken is not null then
    raise exception using errcode = '23505', constraint = 'email_of_another_person',
      message = 'the e-mail is that of another person', detail = 'Key (email)=(' || taken || ') already exists.';
  end if;
  return null;
end $$;
