-- Beside what stands on these facts it is written what they are now. Where nothing does, which is nearly always, no more is done.
create or replace function facts_changed(of_fact text, ids integer[]) returns void language plpgsql as $$
begin
  if ids is null or not exists (select from decision_facts where fact = of_fact and fact_id = any (ids)) then
    return;
  end if;
  with held as materialized (
    select d.kind, d.decision_id, d.fact_id, d.stood, d.now from decision_facts d where d.fact = of_fact and d.fact_id = any (ids)
    order by d.kind, d.decision_id, d.fact_id for no key update
  ), fresh as materialized (
    select h.kind, h.decision_id, h.fact_id, nullif(coalesce(f.value, 'null'), h.stood) as now
    from held h left join facts_now(of_fact, array(select distinct x.fact_id from held x)) f on f.fact_id = h.fact_id)
  update decision_facts d set now = n.now, since = case when n.now is not null then coalesce(d.since, now()) end,
    told_at = case when n.now is not null then d.told_at end
  from fresh n
  where (d.kind, d.decision_id, d.fact, d.fact_id) = (n.kind, n.decision_id, of_fact, n.fact_id) and d.now is distinct from n.now;
end $$;
