-- What a paper carried as data when it was issued stays with it.
create or replace function keep_paper_data() returns trigger language plpgsql as $$
begin
  raise exception 'What an issued paper says stays as it is' using errcode = 'insufficient_privilege';
end $$;
