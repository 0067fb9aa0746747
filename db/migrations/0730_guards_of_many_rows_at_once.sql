-- What looks at new rows does so once a statement where it looked at each: people who are imported, registrations of a whole
-- term. What is refused, and noted, is the same.

-- An address is that of one person. Asked when the rows stand, so that two of one statement see each other as well; the lock
-- that lets one ask after the other is taken before, as ever (`lock_emails`).
create function refuse_emails_of_others() returns trigger language plpgsql as $$
declare
  taken text;
begin
  if tg_table_name = 'users' then
    select n.email into taken from new_rows n
    where n.email is not null and (
      exists (select from students s where lower(s.email) = lower(n.email) and s.removed_at is null
        and case when s.user_id is null then n.type <> 3 else s.user_id <> n.id end)
      or exists (select from instructors i where lower(i.email) = lower(n.email) and i.removed_at is null
        and case when i.user_id is null then n.type <> 1 else i.user_id <> n.id end))
    limit 1;
  elsif tg_table_name = 'students' then
    select n.email into taken from new_rows n
    where n.email is not null and (
      exists (select from users u where lower(u.email) = lower(n.email) and u.removed_at is null
        and case when n.user_id is not null then u.id <> n.user_id
          else u.type <> 3 or exists (select from students s where s.user_id = u.id)
            or exists (select from instructors i where i.user_id = u.id) end)
      or exists (select from students s where lower(s.email) = lower(n.email) and s.removed_at is null
        and (n.user_id is null or s.user_id is distinct from n.user_id) and s.id <> n.id)
      or exists (select from instructors i where lower(i.email) = lower(n.email) and i.removed_at is null
        and (n.user_id is null or i.user_id is distinct from n.user_id)))
    limit 1;
  else
    select n.email into taken from new_rows n
    where n.email is not null and (
      exists (select from users u where lower(u.email) = lower(n.email) and u.removed_at is null
        and case when n.user_id is not null then u.id <> n.user_id
          else u.type <> 1 or exists (select from students s where s.user_id = u.id)
            or exists (select from instructors i where i.user_id = u.id) end)
      or exists (select from students s where lower(s.email) = lower(n.email) and s.removed_at is null
        and (n.user_id is null or s.user_id is distinct from n.user_id))
      or exists (select from instructors i where lower(i.email) = lower(n.email) and i.removed_at is null
        and (n.user_id is null or i.user_id is distinct from n.user_id) and i.id <> n.id))
    limit 1;
  end if;
  if taken is not null then
    raise exception using errcode = '23505', constraint = 'email_of_another_person',
      message = 'the e-mail is that of another person', detail = 'Key (email)=(' || taken || ') already exists.';
  end if;
  return null;
end $$;
drop trigger email_insert on users;
drop trigger email_insert on students;
drop trigger email_insert on instructors;
create trigger email_insert after insert on users referencing new table as new_rows
  for each statement execute function refuse_emails_of_others();
create trigger email_insert after insert on students referencing new table as new_rows
  for each statement execute function refuse_emails_of_others();
create trigger email_insert after insert on instructors referencing new table as new_rows
  for each statement execute function refuse_emails_of_others();

-- Invoices of a term that new registrations are charged in are looked at again.
create function outdate_invoices_of_new() returns trigger language plpgsql as $$
begin
  insert into outdated_invoices (invoice_id)
    select distinct i.id from new_rows n join payers p on p.student_id = n.student_id join invoices i on i.payer_id = p.id
    where charged_registration(n.status) and i.term_id = n.term_id and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer')
    on conflict do nothing;
  return null;
end $$;
drop trigger outdate_invoices_insert on registrations;
create trigger outdate_invoices_insert after insert on registrations referencing new table as new_rows
  for each statement execute function outdate_invoices_of_new();

-- Seats and marks: the offerings whose control is asked are found and locked by one statement, where there were two.
create or replace function guard_parts() returns trigger language plpgsql as $$
declare
  authority text := current_setting('ems.authority', true);
  refused text[];
begin
  if tg_op = 'DELETE' then
    with held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from old_rows d join registrations r on r.id = d.registration_id)
      order by o.id for key share of o)
    select array[h.id::text, h.control_status] into refused from held h
      where not control_allows(h.control_status, tg_argv[0], authority) order by h.id limit 1;
  else
    with held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from new_rows d join registrations r on r.id = d.registration_id)
      order by o.id for key share of o)
    select array[h.id::text, h.control_status] into refused from held h
      where not control_allows(h.control_status, tg_argv[0], authority) order by h.id limit 1;
  end if;
  if refused is not null then
    perform refuse_by_control(refused[1]::integer, refused[2], tg_argv[0]);
  end if;
  return null;
end $$;
