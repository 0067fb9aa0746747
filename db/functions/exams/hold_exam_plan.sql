-- Plans of a term are changed one after the other, so that two who look at the same students see each other.
create or replace function hold_exam_plan(terms integer[]) returns void language sql as $$
  select pg_advisory_xact_lock(380, t) from (select distinct unnest(terms) as t order by 1) as x
$$;
