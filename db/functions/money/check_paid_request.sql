-- What is paid out says by which transaction, at the latest when all is written.
create or replace function check_paid_request() returns trigger language plpgsql as $$
begin
  if exists (select from refund_requests q where q.id = new.id and q.status = 'paid_out' and q.transaction_id is null) then
    raise exception 'What is paid out has its transaction' using errcode = 'check_violation', constraint = 'refund_request_paid';
  end if;
  return null;
end $$;
