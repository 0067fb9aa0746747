-- Each new sponsor is a payer of the ledger.
create or replace function add_sponsor_payers() returns trigger language plpgsql as $$
begin
  insert into payers (sponsor_id) select id from new_rows order by id;
  return null;
end $$;
