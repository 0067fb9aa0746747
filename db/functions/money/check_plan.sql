-- At the end of each transaction a plan runs exactly while it covers an invoice, and none that is reversed.
create or replace function check_plan() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  of integer[] := case tg_table_name when 'payment_plans' then array[(to_jsonb(new) ->> 'id')::int]
    else array[(to_jsonb(new) ->> 'plan_id')::int, (to_jsonb(old) ->> 'plan_id')::int] end;
begin
  if exists (select from payment_plans p where p.id = any(of)
      and ((p.state = 'running') <> exists (select from invoices i where i.plan_id = p.id)
        or exists (select from invoices i where i.plan_id = p.id and i.reversed_at is not null))) then
    raise exception 'A plan runs exactly while it covers an invoice' using errcode = 'check_violation', constraint = 'plan_stands';
  end if;
  return null;
end $$;
