-- Of two who write what an exclusion constraint keeps apart, at one moment, the second waits and is told what it meets.
-- Without this each may wait for the other: PostgreSQL enters both before it compares them, and ends one after a second.
-- The argument is a column of the constraint. Sixty-four turns are enough for people, and few enough for a sheet of thousands.
create or replace function take_turns() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext(tg_table_name), (to_jsonb(new) ->> tg_argv[0])::int % 64);
  return new;
end $$;
