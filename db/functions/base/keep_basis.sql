-- Keeps what decisions stand on, in place of what they stood on before. `kept`: `decision_id`, `fact`, `fact_id`, and `stood`
-- where the decision was made on what is told there and not on what is now. The facts stay as they are until the transaction
-- ends, so that a change at the same moment is seen here, or finds what is written here.
create or replace function keep_basis(of_kind text, decisions integer[], kept jsonb) returns void language plpgsql as $$
declare
  f record;
begin
  for f in select x.fact, array_agg(distinct x.fact_id order by x.fact_id) as ids
    from jsonb_to_recordset(kept) as x (fact text, fact_id integer) group by 1 order by 1
  loop
    execute format('select %I($1)', 'hold_' || f.fact) using f.ids;
  end loop;
  delete from decision_facts d where d.kind = of_kind and d.decision_id = any (decisions);
  for f in select x.fact, array_agg(distinct x.fact_id) as ids
    from jsonb_to_recordset(kept) as x (fact text, fact_id integer) group by 1 order by 1
  loop
    insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
    select of_kind, x.decision_id, f.fact, x.fact_id, x.stood, x.now, case when x.now is not null then now() end
    from (
      select distinct on (k.decision_id, k.fact_id) k.decision_id, k.fact_id, coalesce(k.stood, v.value, 'null') as stood,
        nullif(coalesce(v.value, 'null'), coalesce(k.stood, v.value, 'null')) as now
      from jsonb_to_recordset(kept) as k (decision_id integer, fact text, fact_id integer, stood jsonb)
        left join facts_now(f.fact, f.ids) v on v.fact_id = k.fact_id
      where k.fact = f.fact order by k.decision_id, k.fact_id) x;
  end loop;
end $$;
