-- Turns of records whose account changed are shared once for all rows of a statement: thousands of records may come to their
-- accounts together (an import, a sign-in provider).
create or replace function share_turns_of_changed() returns trigger language plpgsql as $$
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
