-- The bank's own file may bring the money before anybody looked at the slip, and what was booked may be cancelled: the slip follows.
create or replace function follow_slip() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  slip payment_slips;
  leads text := case new.status when 'paid' then 'accepted' when 'cancelled' then 'cancelled' end;
begin
  select * into slip from payment_slips where transaction_id = new.id and status <> leads for update;
  if found then
    update payment_slips set status = leads where id = slip.id;
    if coalesce(current_setting('ems.slip_step', true), '') = '' then
      insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
        values ('slip', slip.id, (who ->> 'actor_id')::int, (who ->> 'impersonator_id')::int, case new.status when 'paid' then 'accept' else 'cancel' end,
          slip.status, leads, who ->> 'reason');
    end if;
  end if;
  return null;
end $$;
