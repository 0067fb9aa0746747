create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'The ledger is append-only: correct it by a reversal' using errcode = 'insufficient_privilege';
end $$;
