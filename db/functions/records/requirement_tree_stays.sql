-- A revision is never changed, and follows the one before.
create or replace function requirement_tree_stays() returns trigger language plpgsql as $$
begin
  raise exception 'A revision of requirements stays as it is' using errcode = 'insufficient_privilege';
end $$;
