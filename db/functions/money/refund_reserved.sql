-- What of a wallet is asked for and not paid out yet.
create or replace function refund_reserved(of_payer integer, of_currency text) returns bigint language sql stable as $$
  select coalesce(sum(q.from_wallet), 0)::bigint from refund_requests q
  where q.payer_id = of_payer and q.currency = of_currency and q.status in ('asked', 'approved')
$$;
