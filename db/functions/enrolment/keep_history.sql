create or replace function keep_history() returns trigger language plpgsql as $$
begin
  raise exception 'registration history is never changed';
end $$;
