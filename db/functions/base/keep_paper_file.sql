-- The file of a paper is never another one.
create or replace function keep_paper_file() returns trigger language plpgsql as $$
begin
  if exists (select from papers where file_id = old.id) then
    raise exception 'The file of an issued paper stays as it is' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
