-- Every step of every workflow: who took it, as whom, when, from which state to which, and why. Rows are only added.
-- No foreign keys: what happened outlives the record it happened to.
create table step_history (
  id integer generated always as identity primary key,
  -- Name of the workflow, and id of the record in the workflow's table.
  workflow text not null,
  record_id integer not null,
  at timestamptz not null default now(),
  -- Null: the system.
  actor_id integer,
  -- Who really sat there, when somebody acted for the actor.
  impersonator_id integer,
  action text not null,
  -- Null: the record began here.
  from_state text,
  to_state text not null,
  reason text
);
create index step_history_record on step_history (workflow, record_id, id);
create index step_history_at on step_history using brin (at);

create function refuse_step_change() returns trigger language plpgsql as $$
begin
  raise exception 'The history of steps is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on step_history
  for each row execute function refuse_step_change();
create trigger append_only_truncate before truncate on step_history
  for each statement execute function refuse_step_change();
