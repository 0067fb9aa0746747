-- What was made stays as it was made, and what the authority accepted is accepted; only what it rejected is made anew.
create or replace function keep_tax_receipt() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state = 'valid' and new.state <> 'valid'
      or (new.transaction_id, new.kind, new.reference_id, new.device, new.number) is distinct from
        (old.transaction_id, old.kind, old.reference_id, old.device, old.number)
      or old.state <> 'rejected' and (new.uuid, new.document, new.lines, new.previous_uuid) is distinct from
        (old.uuid, old.document, old.lines, old.previous_uuid) then
    raise exception using errcode = 'check_violation', constraint = 'tax_receipt_stays', message = 'tax_receipt_stays';
  end if;
  return new;
end $$;
