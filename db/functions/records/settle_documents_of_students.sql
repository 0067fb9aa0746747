create or replace function settle_documents_of_students() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform settle_documents(array(select n.id from students_now n));
  else
    perform settle_documents(array(
      select n.id from students_now n full join students_before o on o.id = n.id
      where (n.gender, n.nationality_id, n.program_id, n.level, n.entry_term_id, n.status, n.removed_at)
        is distinct from (o.gender, o.nationality_id, o.program_id, o.level, o.entry_term_id, o.status, o.removed_at)));
  end if;
  return null;
end $$;
