-- What a distribution came to, and who moved against the one before, is counted once, when it is made: of a hundred
-- thousand students nobody waits for it who only looks.
alter table specialization_runs
  -- How many were given their first wish, their second, and so on.
  add column by_preference integer[] not null default '{}',
  -- Students who were given something else than in the run before; null: there was none.
  add column moved integer;

update specialization_runs r set by_preference = (
  select array_agg(coalesce(c.n, 0) order by g.place) from generate_series(1, 15) g (place)
  left join (select preference, count(*)::int as n from specialization_results where run_id = r.id group by 1) c on c.preference = g.place);
update specialization_runs r set moved = (
  select count(*)::int from (select * from specialization_results where run_id = r.id) l
    full join (select * from specialization_results where run_id = p.id) o using (student_id)
  where l.specialization_id is distinct from o.specialization_id)
from specialization_runs p
where p.specialization_time_id = r.specialization_time_id and p.number = r.number - 1
  and exists (select from specialization_results x where x.run_id = p.id);
