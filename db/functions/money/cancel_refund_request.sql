create or replace function cancel_refund_request() returns trigger language plpgsql as $$
begin
  update refund_requests set status = 'cancelled', version = version + 1 where transaction_id = new.id and status = 'paid_out';
  return null;
end $$;
