create or replace function keep_ledger_account() returns trigger language plpgsql as $$
begin
  if (new.role, new.kind, new.per_payer) is distinct from (old.role, old.kind, old.per_payer)
      and (old.role is not null or exists (select from ledger_postings p where p.account_id = old.id)) then
    raise exception 'An account that is booked to keeps what it is' using errcode = 'check_violation', constraint = 'ledger_account_needed';
  end if;
  return new;
end $$;
