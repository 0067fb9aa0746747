-- What was booked stays: only who looked at it and why it was cancelled is written later.
create or replace function keep_booked_transaction() returns trigger language plpgsql as $$
begin
  if old.entry_id is not null and (new.payer_id, new.direction, new.way, new.currency, new.amount, new.entry_id, new.booked_on)
      is distinct from (old.payer_id, old.direction, old.way, old.currency, old.amount, old.entry_id, old.booked_on) then
    raise exception 'A booked transaction is not changed' using errcode = 'check_violation', constraint = 'transaction_booked_stays';
  end if;
  if old.status in ('paid', 'cancelled', 'rejected') and new.status <> old.status and not (old.status = 'paid' and new.status = 'cancelled') then
    raise exception 'A transaction that ended does not begin again' using errcode = 'check_violation', constraint = 'transaction_ended';
  end if;
  return new;
end $$;
