-- Never more goes back than was paid, together with what is asked back; and what is asked back is not cancelled.
create or replace function check_refund() returns trigger language plpgsql as $$
declare
  gone bigint;
begin
  if tg_op = 'UPDATE' then
    if exists (select from refund_requests q where q.payment_id = new.id and q.status in ('asked', 'approved')) then
      raise exception 'A part of it is asked back' using errcode = 'check_violation', constraint = 'cancel_asked_back';
    end if;
    return new;
  end if;
  perform from payers where id = new.payer_id for no key update;
  select t.amount - coalesce((select sum(r.amount) from transactions r where r.refund_of = t.id and r.status in ('new', 'pending', 'paid')), 0)
      - coalesce((select sum(q.amount) from refund_requests q where q.payment_id = t.id and q.status in ('asked', 'approved')), 0)
    into gone from transactions t where t.id = new.refund_of;
  if new.amount > gone then
    raise exception 'More than was paid' using errcode = 'check_violation', constraint = 'refund_beyond_payment';
  end if;
  return new;
end $$;
