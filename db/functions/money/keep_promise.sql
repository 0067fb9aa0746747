-- What was promised stays as it was noted, and what ended stays ended.
create or replace function keep_promise() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'standing'
    or (new.payer_id, new.invoice_id, new.currency, new.amount, new.promised_on, new.settled_before, new.noted_by)
      is distinct from (old.payer_id, old.invoice_id, old.currency, old.amount, old.promised_on, old.settled_before, old.noted_by) then
    raise exception 'A promise stays as it was noted' using errcode = 'check_violation', constraint = 'promise_kept_as_noted';
  end if;
  return new;
end $$;
