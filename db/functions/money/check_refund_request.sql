-- Who asks holds the payer, so that two who ask at once come one after the other; what stands is never more than there is.
-- What is paid out ends so only by its transaction, which says it.
create or replace function check_refund_request() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held bigint;
  gone bigint;
begin
  if tg_op = 'UPDATE' then
    if (new.payer_id, new.kind, new.payment_id, new.currency, new.amount, new.asked_by)
        is distinct from (old.payer_id, old.kind, old.payment_id, old.currency, old.amount, old.asked_by) then
      raise exception 'What was asked stays as it was asked' using errcode = 'check_violation', constraint = 'refund_request_stays';
    end if;
    if old.status in ('rejected', 'withdrawn', 'cancelled') and new.status <> old.status
        or old.status = 'paid_out' and new.status not in ('paid_out', 'cancelled')
        or new.status = 'cancelled' and old.status <> 'cancelled' and (old.status <> 'paid_out'
          or not exists (select from transactions t where t.id = new.transaction_id and t.status = 'cancelled'))
        or old.status = 'approved' and new.status = 'asked' or old.status = 'asked' and new.status = 'paid_out' then
      raise exception 'A refund goes from asked to approved to paid out' using errcode = 'check_violation', constraint = 'refund_request_ended';
    end if;
  end if;
  if new.status not in ('asked', 'approved') then
    return new;
  end if;
  perform from payers where id = new.payer_id for no key update;
  if new.from_wallet > 0 then
    select b.wallet into held from payer_balances b where b.payer_id = new.payer_id and b.currency = new.currency for no key update;
    if coalesce(held, 0) < new.from_wallet + (select coalesce(sum(q.from_wallet), 0) from refund_requests q where q.payer_id = new.payer_id
        and q.currency = new.currency and q.status in ('asked', 'approved') and q.id <> new.id) then
      raise exception 'The wallet does not hold so much' using errcode = 'check_violation', constraint = 'wallet_reserved';
    end if;
  end if;
  if new.payment_id is not null then
    select t.amount - coalesce((select sum(r.amount) from transactions r where r.refund_of = t.id and r.status in ('new', 'pending', 'paid')), 0)
        - coalesce((select sum(q.amount) from refund_requests q where q.payment_id = t.id and q.status in ('asked', 'approved') and q.id <> new.id), 0)
      into gone from transactions t where t.id = new.payment_id;
    if new.amount > gone then
      raise exception 'More than was paid' using errcode = 'check_violation', constraint = 'refund_beyond_payment';
    end if;
  end if;
  return new;
end $$;
