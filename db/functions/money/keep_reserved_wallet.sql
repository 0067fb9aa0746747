create or replace function keep_reserved_wallet() returns trigger language plpgsql as $$
declare
  reserved bigint := refund_reserved(new.payer_id, new.currency);
begin
  if reserved > 0 and new.wallet < reserved then
    raise exception 'A part of the wallet is asked back' using errcode = 'check_violation', constraint = 'wallet_reserved';
  end if;
  return new;
end $$;
