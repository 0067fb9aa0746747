-- A person has one telephone: the account and every record of it bear the same, whichever of them is changed. Of who left,
-- where what concerned the studies was erased, nothing comes back and nothing is taken from elsewhere. For all rows of a
-- statement at once: thousands of records that come to their accounts are not looked at one by one.
create or replace function one_telephone_of_records() returns trigger language plpgsql as $$
declare
  -- Records that are bound to an account now and tell no number: who has told a number there has told it.
  takes integer[];
  -- Accounts whose number a record says, and the numbers.
  accounts integer[];
  numbers text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(n.id) filter (where n.phone is null), array_agg(n.user_id order by n.id) filter (where n.phone is not null),
        array_agg(n.phone order by n.id) filter (where n.phone is not null)
      into takes, accounts, numbers
    from new_rows n
    where n.user_id is not null and n.removed_at is null
      and (n.phone is not null or coalesce(to_jsonb(n) ->> 'status', 'studying') in ('studying', 'suspended'));
  else
    select array_agg(c.id) filter (where c.takes), array_agg(c.user_id order by c.id) filter (where not c.takes),
        array_agg(c.phone order by c.id) filter (where not c.takes)
      into takes, accounts, numbers
    from (
      select n.id, n.user_id, n.phone, n.removed_at, n.phone is null and o.user_id is distinct from n.user_id as takes,
        -- Of who left, where what concerned the studies was erased, nothing comes back and nothing is taken from elsewhere.
        n.phone is null and coalesce(to_jsonb(n) ->> 'status', 'studying') not in ('studying', 'suspended') as left_here
      from old_rows o full join new_rows n on n.id = o.id
      where (o.phone, o.user_id) is distinct from (n.phone, n.user_id) offset 0) c
    where c.user_id is not null and c.removed_at is null and not c.left_here;
  end if;
  if takes is not null then
    execute format('update %I r set phone = u.phone from users u
      where r.id = any ($1) and u.id = r.user_id and u.phone is not null', tg_table_name) using takes;
  end if;
  if accounts is not null then
    update users u set phone = x.phone
    from (select distinct on (id) id, phone from unnest(accounts, numbers) with ordinality as a (id, phone, place)
      order by id, place desc) x
    where u.id = x.id and u.phone is distinct from x.phone;
  end if;
  return null;
end $$;
