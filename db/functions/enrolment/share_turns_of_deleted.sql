create or replace function share_turns_of_deleted() returns trigger language plpgsql as $$
begin
  perform share_turns(array[old.user_id]);
  return null;
end $$;
