-- A prerequisite that was met by a credited course stands on what that credit stands on. A credit whose result is not passed any
-- more waits for its faculty; meanwhile who runs on it is told beside it. Kept as credited, it counts again; ended or of another
-- grade, what it was needed for is looked at.
-- Whether a credited course counts as passed; `other`: with this result in place of that of one registration.
create or replace function credit_sound(credit integer, registration integer, other jsonb) returns boolean language sql stable as $$
  select not exists (select from decision_facts d
    where d.kind = 'credit' and d.decision_id = credit and d.now is not null and not coalesce((d.now ->> 'passed')::boolean, false)
      and not (d.fact = 'result' and d.fact_id is not distinct from registration and coalesce((other ->> 'passed')::boolean, false)))
$$;
