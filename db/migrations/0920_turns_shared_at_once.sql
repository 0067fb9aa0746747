-- Turns of records whose account changed are shared once for all rows of a statement: thousands of records that come to
-- their accounts together (an import, a sign-in provider) were looked at one by one.
drop trigger share_turns on students;
drop function share_turns_of_record();
create function share_turns_of_changed() returns trigger language plpgsql as $$
declare
  accounts integer[];
  records integer[];
begin
  select array_agg(distinct a.user_id) filter (where a.user_id is not null), array_agg(distinct a.id) into accounts, records
    from (select n.id, unnest(array[o.user_id, n.user_id]) as user_id
      from records_before o full join records_now n on n.id = o.id
      where o.user_id is distinct from n.user_id or (o.removed_at is null) <> (n.removed_at is null)) a;
  if records is not null then perform share_turns(coalesce(accounts, '{}'), records); end if;
  return null;
end $$;
create trigger share_turns_of_changed after update on students
  referencing old table as records_before new table as records_now for each statement execute function share_turns_of_changed();

create or replace function share_turns(accounts integer[], let_go integer[] default '{}') returns void language plpgsql as $$
begin
  update registration_turns t set account = n.account, turn = t.turn + 1
  from (
    select s.id, case when s.removed_at is null and p.records > 1 then s.user_id end as account
    from (select id from students where user_id = any (accounts) union select unnest(let_go)) one
      join students s on s.id = one.id
      left join (select user_id, count(*) as records from students
        where user_id = any (accounts) and removed_at is null group by user_id) p on p.user_id = s.user_id) n
  where t.student_id = n.id and t.account is distinct from n.account;
end $$;
