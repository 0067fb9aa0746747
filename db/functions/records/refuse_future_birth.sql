-- Nobody is born in the future.
create or replace function refuse_future_birth() returns trigger language plpgsql as $$
begin
  raise exception using errcode = '23514', constraint = 'birth_date_future', column = 'birth_date',
    message = 'born in the future';
end $$;
