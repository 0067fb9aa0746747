-- What was paid and looked at stays; a slip ends with its money.
create or replace function keep_payment_slip() returns trigger language plpgsql as $$
begin
  if old.status in ('accepted', 'cancelled') and (new.paid_on, new.file_id, new.amount, new.transaction_id, new.invoice_id)
      is distinct from (old.paid_on, old.file_id, old.amount, old.transaction_id, old.invoice_id) then
    raise exception 'A slip that was decided on is not changed' using errcode = 'check_violation', constraint = 'slip_decided';
  end if;
  if new.status = 'accepted' and old.status <> 'accepted' and not exists (select from transactions t where t.id = new.transaction_id and t.status = 'paid') then
    raise exception 'A slip is accepted when its money is booked' using errcode = 'check_violation', constraint = 'slip_not_booked';
  end if;
  return new;
end $$;
