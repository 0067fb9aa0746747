create or replace function refuse_step_change() returns trigger language plpgsql as $$
begin
  raise exception 'The history of steps is append-only' using errcode = 'insufficient_privilege';
end $$;
