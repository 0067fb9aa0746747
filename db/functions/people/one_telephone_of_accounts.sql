-- The one telephone of a person, told by the account: see `one_telephone_of_records`.
create or replace function one_telephone_of_accounts() returns trigger language plpgsql as $$
declare
  accounts integer[];
  numbers text[];
begin
  select array_agg(n.id), array_agg(n.phone) into accounts, numbers
    from old_rows o full join new_rows n on n.id = o.id where o.phone is distinct from n.phone;
  if accounts is null then return null; end if;
  update students s set phone = x.phone from unnest(accounts, numbers) as x (id, phone)
    where s.user_id = x.id and s.removed_at is null and s.phone is distinct from x.phone
      and (s.phone is not null or s.status in ('studying', 'suspended'));
  update instructors i set phone = x.phone from unnest(accounts, numbers) as x (id, phone)
    where i.user_id = x.id and i.removed_at is null and i.phone is distinct from x.phone;
  return null;
end $$;
