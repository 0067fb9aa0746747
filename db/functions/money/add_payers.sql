create or replace function add_payers() returns trigger language plpgsql as $$
begin
  insert into payers (student_id) select id from new_rows order by id;
  return null;
end $$;
