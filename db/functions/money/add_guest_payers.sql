-- Each new guest is a payer of the ledger.
create or replace function add_guest_payers() returns trigger language plpgsql as $$
begin
  insert into payers (guest_id) select id from new_rows order by id;
  return null;
end $$;
