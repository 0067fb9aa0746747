-- A content whose record is gone is looked at by the next sweep.
create or replace function forget_content() returns trigger language plpgsql as $$
begin
  insert into held_contents (hash, until) select distinct hash, now() from gone;
  return null;
end $$;
