-- Steps of control stand in the history of all workflows from now on. Processes of the version before go on writing to
-- the table they know until they are replaced; it is no longer read, and a later version drops it.
create or replace function keep_control_steps() returns trigger language plpgsql as $$
begin
  insert into step_history (workflow, record_id, at, actor_id, action, from_state, to_state, reason)
  select 'offering_control', offering_id, at, actor_id, action, from_status, to_status, reason from new_rows order by id;
  return null;
end $$;
