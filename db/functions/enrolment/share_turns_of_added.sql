-- After `first_turn`, in the order of names.
create or replace function share_turns_of_added() returns trigger language plpgsql as $$
declare
  accounts integer[] := array(select s.user_id from students s where s.removed_at is null
    and s.user_id in (select user_id from added where user_id is not null) group by s.user_id having count(*) > 1);
begin
  if cardinality(accounts) > 0 then perform share_turns(accounts); end if;
  return null;
end $$;
