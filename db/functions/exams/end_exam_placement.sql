-- However its job ends, a run ends with it: one that failed for good stays open for nobody.
create or replace function end_exam_placement() returns trigger language plpgsql as $$
begin
  update exam_placements set state = case new.state when 'cancelled' then 'discarded' else 'failed' end, finished_at = now()
    where job_id = new.id and state = 'running';
  return null;
end $$;
