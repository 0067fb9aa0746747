-- What was asked for stays as it was asked, what was agreed as it was agreed, and what is over is not undone.
create or replace function keep_plan() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    or (new.payer_id, new.invoice_id, new.currency, new.parts_asked, new.first_day, new.why, new.asked_by, new.really_asked_by)
      is distinct from (old.payer_id, old.invoice_id, old.currency, old.parts_asked, old.first_day, old.why, old.asked_by, old.really_asked_by)
    or not (old.state = 'asked' and new.state in ('running', 'refused', 'withdrawn')
      or old.state = 'running' and new.state in ('kept', 'broken', 'ended')
        and (new.parts, new.decided_by, new.decided_at) is not distinct from (old.parts, old.decided_by, old.decided_at)) then
    raise exception 'A plan stays as it was agreed' using errcode = 'check_violation', constraint = 'plan_kept_as_agreed';
  end if;
  return new;
end $$;
