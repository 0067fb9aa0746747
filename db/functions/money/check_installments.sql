-- The parts of an invoice are what it charges, at the end of each transaction. Rows are looked up by their keys alone, as in
-- `check_live_line`.
create or replace function check_installments() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  of integer := coalesce(new.invoice_id, old.invoice_id);
begin
  if exists (select from invoice_balances b where b.invoice_id = of
      and b.charged <> coalesce((select sum(i.amount) from installments i where i.invoice_id = of), 0)) then
    raise exception 'Instalments differ from what the invoice charges' using errcode = 'check_violation', constraint = 'installments_differ';
  end if;
  return null;
end $$;
