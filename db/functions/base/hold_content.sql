-- Notes that a content comes. Whoever is just removing the same one is waited for: it is written anew then.
create or replace function hold_content(coming text, for_how_long interval) returns bigint language plpgsql as $$
declare
  held bigint;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(coming, 72402));
  insert into held_contents (hash, until) values (coming, now() + for_how_long) returning id into held;
  return held;
end $$;
