create or replace function refuse_decision_step_change() returns trigger language plpgsql as $$
begin
  raise exception 'What became of decisions cannot be changed' using errcode = 'insufficient_privilege';
end $$;
