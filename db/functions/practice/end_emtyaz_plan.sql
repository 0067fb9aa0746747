-- However its job ends, a plan ends with it: one that failed for good stays open for nobody.
create or replace function end_emtyaz_plan() returns trigger language plpgsql as $$
begin
  update emtyaz_plans set state = case new.state when 'cancelled' then 'discarded' else 'failed' end, finished_at = now()
    where job_id = new.id and state = 'running';
  return null;
end $$;
