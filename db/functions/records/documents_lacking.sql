-- What of it students who study lack: it is neither accepted nor waived.
create or replace function documents_lacking(ids integer[]) returns table (student_id integer, kind_id integer) language sql stable as $$
  select r.student_id, r.kind_id from documents_required(ids) r join students s on s.id = r.student_id
  where s.removed_at is null and s.status in ('studying', 'suspended')
    and not exists (select from student_documents d where d.student_id = r.student_id and d.kind_id = r.kind_id and d.removed_at is null
      and d.status in ('accepted', 'waived'))
$$;
