-- What a statement changed is compared with what was in one pass. A plan is kept from the first statement of a connection, which
-- is often of one row; with it each row before was held against each row after, so that thousands took minutes. A full join
-- cannot be done that way; `offset 0` keeps conditions from turning it into another.
create or replace function settle_documents_of_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform settle_documents(array(select distinct n.student_id from rows_now n));
  elsif tg_op = 'DELETE' then
    perform settle_documents(array(select distinct o.student_id from rows_before o));
  else
    perform settle_documents(array(
      select distinct x.id from rows_now n full join rows_before o on o.id = n.id cross join unnest(array[n.student_id, o.student_id]) x(id)
      where (n.student_id, n.kind_id, n.status, n.asked, n.removed_at)
        is distinct from (o.student_id, o.kind_id, o.status, o.asked, o.removed_at)));
  end if;
  return null;
end $$;
