create or replace function end_exchange_of_given() returns trigger language plpgsql as $$
begin
  delete from registration_exchanges where gives_up_id = new.id;
  return null;
end $$;
