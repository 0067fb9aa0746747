-- Whoever inserts: debits are credits, and what belongs to a payer says to whom.
create or replace function check_ledger_postings() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_postings p where p.entry_id in (select entry_id from new_rows) group by p.entry_id having sum(p.amount) <> 0) then
    raise exception 'Debits differ from credits' using errcode = 'check_violation', constraint = 'ledger_unbalanced';
  end if;
  if exists (select from new_rows n join ledger_accounts a on a.id = n.account_id
      where (a.per_payer and n.payer_id is null) or (n.invoice_id is not null and a.role is distinct from 'receivable')) then
    raise exception 'A posting of a payer names the payer; what an invoice charges is receivable'
      using errcode = 'check_violation', constraint = 'ledger_posting_shape';
  end if;
  return null;
end $$;
