-- Credits that changed or ended: running registrations of their students that ask for what they counted as, and have it no more.
-- `was`: the credit as it was, in the shape of the fact.
create or replace function prerequisites_lost_by_credits(students integer[], credits integer[], was jsonb[]) returns void language plpgsql as $$
begin
  insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
    select 'prerequisite', x.id, 'credit', c.id, c.was, coalesce(f.value, 'null'), now()
    from unnest(students, credits, was) as c (student_id, id, was)
      left join fact_credit(credits) f on f.fact_id = c.id
      join registrations x on x.student_id = c.student_id and x.letter is null
      cross join lateral running_requisite(x) q (requisite)
    where q.requisite is not null and coalesce(f.value, 'null') <> c.was
      -- What lacks a prerequisite by a result already is told so.
      and not exists (select from decision_facts d where d.kind = 'prerequisite' and d.decision_id = x.id)
      and not requisite_met(x.student_id, q.requisite) and requisite_met(x.student_id, q.requisite, 0, c.was)
    order by x.id, c.id
  on conflict (kind, decision_id, fact, fact_id) do nothing;
  perform prerequisites_regained(students);
end $$;
