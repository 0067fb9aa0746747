-- A person has one telephone: the account and every record of it bear the same, whichever of them is changed. Of who left,
-- where what concerned the studies was erased, nothing comes back and nothing is taken from elsewhere.
create function one_telephone_of_record() returns trigger language plpgsql as $$
declare
  left_here boolean := tg_table_name = 'students' and to_jsonb(new) ->> 'status' not in ('studying', 'suspended');
  known text;
begin
  if new.phone is null and (tg_op = 'INSERT' or old.user_id is distinct from new.user_id) then
    -- Bound to its account now: who has told a number there has told it.
    select u.phone into known from users u where u.id = new.user_id;
    if known is not null and not left_here then
      execute format('update %I set phone = $1 where id = $2', tg_table_name) using known, new.id;
    end if;
  elsif new.phone is not null or not left_here then
    update users set phone = new.phone where id = new.user_id and phone is distinct from new.phone;
  end if;
  return null;
end $$;
create function one_telephone_of_account() returns trigger language plpgsql as $$
begin
  update students set phone = new.phone where user_id = new.id and removed_at is null and phone is distinct from new.phone
    and (phone is not null or status in ('studying', 'suspended'));
  update instructors set phone = new.phone where user_id = new.id and removed_at is null and phone is distinct from new.phone;
  return null;
end $$;

-- Of several numbers that are there the one that was written last is the person's; where that is not known, that of the record.
-- The others stay in the trail.
do $$
declare
  chosen record;
begin
  for chosen in
    with numbers as (
      select u.id as user_id, u.phone, 'users' as at_table, u.id as record_id, 1 as rank from users u
        where u.removed_at is null and (exists (select from students s where s.user_id = u.id and s.removed_at is null)
          or exists (select from instructors i where i.user_id = u.id and i.removed_at is null))
      union all select s.user_id, s.phone, 'students', s.id, 0 from students s
        where s.user_id is not null and s.removed_at is null and (s.phone is not null or s.status in ('studying', 'suspended'))
      union all select i.user_id, i.phone, 'instructors', i.id, 0 from instructors i where i.user_id is not null and i.removed_at is null),
    several as (
      select n.user_id from numbers n group by n.user_id
      having count(distinct n.phone) > 1 or count(n.phone) between 1 and count(*) - 1)
    select distinct on (n.user_id) n.user_id, n.phone
    from numbers n join several o on o.user_id = n.user_id
      left join lateral (select max(l.at) as at from audit_log l
        where l.table_name = n.at_table and l.record_id = n.record_id and l.new ->> 'phone' is not null) w on true
    where n.phone is not null
    order by n.user_id, w.at desc nulls last, n.rank, n.record_id desc
  loop
    update users set phone = chosen.phone where id = chosen.user_id and phone is distinct from chosen.phone;
    update students set phone = chosen.phone where user_id = chosen.user_id and removed_at is null and phone is distinct from chosen.phone
      and (phone is not null or status in ('studying', 'suspended'));
    update instructors set phone = chosen.phone where user_id = chosen.user_id and removed_at is null and phone is distinct from chosen.phone;
  end loop;
end $$;

create trigger one_telephone_of_new after insert on students
  for each row when (new.user_id is not null and new.removed_at is null) execute function one_telephone_of_record();
create trigger one_telephone after update of phone, user_id on students
  for each row when (new.user_id is not null and new.removed_at is null and (old.phone, old.user_id) is distinct from (new.phone, new.user_id))
  execute function one_telephone_of_record();
create trigger one_telephone_of_new after insert on instructors
  for each row when (new.user_id is not null and new.removed_at is null) execute function one_telephone_of_record();
create trigger one_telephone after update of phone, user_id on instructors
  for each row when (new.user_id is not null and new.removed_at is null and (old.phone, old.user_id) is distinct from (new.phone, new.user_id))
  execute function one_telephone_of_record();
create trigger one_telephone after update of phone on users
  for each row when (old.phone is distinct from new.phone) execute function one_telephone_of_account();
